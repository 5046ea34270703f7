import { onPage } from '#islands/stores/page.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings } from '#lib/core/shared/text/strings.ts'
import { enhanceHotspot } from './hotspot-field.ts'
import { enhanceOrdering } from './ordering-field.ts'

/* The preview of a test: the fields are operated as in an attempt, but nothing is sent before its button is pressed. */
onPage(() => {
  const root = document.querySelector<HTMLElement>('[data-quiz-preview]')
  if (!root?.dataset.quizPreview) return
  const { locale, strings }: { locale: Locale; strings: Strings } = JSON.parse(root.dataset.quizPreview)
  const t = createTranslator(strings, locale)
  const onChange = () => undefined
  const announcement = root.querySelector('[data-announcement]')
  const announce = (text: string) => {
    if (announcement) announcement.textContent = text
  }
  for (const question of root.querySelectorAll<HTMLElement>('[data-question]')) {
    enhanceOrdering(question, { t, announce, onChange })
    enhanceHotspot(question, { t, onChange })
  }
})
