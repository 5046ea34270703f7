import { api } from '#islands/stores/api.ts'
import { followJob } from '#islands/stores/job-progress.ts'
import { onPage } from '#islands/stores/page.ts'
import { isLocale } from '#lib/core/shared/locale.ts'

/* The page shows an import of questions and its result; this script polls while it runs. */
onPage(() => {
  const container = document.querySelector<HTMLElement>('[data-question-import]')
  const locale = document.documentElement.lang
  const importId = container?.dataset.questionImport
  if (!container || !importId || !isLocale(locale)) return
  return followJob(container, locale, () => api.quiz.getQuestionImport({ importId }, { context: { isQuiet: true } }))
})
