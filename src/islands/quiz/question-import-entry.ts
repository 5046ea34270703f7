import { api } from '#islands/stores/api.ts'
import { onPage, refreshPage } from '#islands/stores/page.ts'
import { formatPercent, isLocale, type Locale } from '#lib/core/shared/locale.ts'

const POLL_MS = 1000
const RETRY_MS = 5000

/* The page shows an import of questions and its result; this script polls while it runs. */
onPage(() => {
  const container = document.querySelector<HTMLElement>('[data-question-import]')
  const locale = document.documentElement.lang
  const importId = container?.dataset.questionImport
  return container && importId && isLocale(locale) ? followImport(container, importId, locale) : undefined
})

/** Polls every second, more slowly while offline. */
function followImport(container: HTMLElement, importId: string, locale: Locale): () => void {
  const bar = container.querySelector('progress')
  const statusText = container.querySelector<HTMLElement>('[data-words]')
  const offlineNotice = container.querySelector<HTMLElement>('[data-lost]')
  let timer: ReturnType<typeof setTimeout> | undefined
  const poll = async () => {
    try {
      const { state, progress } = await api.quiz.getQuestionImport({ importId }, { context: { isQuiet: true } })
      if (state !== 'queued' && state !== 'running') return refreshPage()
      if (bar) bar.value = progress
      const percent = formatPercent(progress / 100, locale)
      if (statusText && state === 'running')
        statusText.textContent = (statusText.dataset.says ?? '').replace('{{percent}}', percent)
      if (offlineNotice) offlineNotice.hidden = true
      timer = setTimeout(poll, POLL_MS)
    } catch {
      // The import continues on the server whatever the error.
      if (offlineNotice) offlineNotice.hidden = false
      timer = setTimeout(poll, RETRY_MS)
    }
  }
  timer = setTimeout(poll, POLL_MS)
  return () => clearTimeout(timer)
}
