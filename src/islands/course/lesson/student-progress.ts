import { subscribe } from '#islands/stores/live.ts'
import { onPage, refreshPage } from '#islands/stores/page.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'

interface ProgressEvent {
  studentId: string
  completed: number
  total: number
}

/** Updates the progress of the students on the page live. */
onPage(() => {
  const list = document.querySelector<HTMLElement>('[data-watch]')
  return list ? followProgress(list, readPageLocale()) : undefined
})

function followProgress(list: HTMLElement, locale: Locale): () => void {
  const t = createTranslator({ 'course:progress': list.dataset.words ?? '' }, locale)
  return subscribe<ProgressEvent>(
    `course:${list.dataset.watch}`,
    ({ studentId, completed, total }) => {
      const row = list.querySelector(`[data-student="${CSS.escape(studentId)}"]`)
      const label = t('course:progress', { done: completed, total })
      const text = row?.querySelector('[data-progress]')
      if (text) text.textContent = label
      renderRing(row?.querySelector('[data-ring]') ?? null, total === 0 ? 0 : completed / total, label)
    },
    refreshPage,
  )
}

const CIRCUMFERENCE = 2 * Math.PI * 18

function renderRing(ring: Element | null, share: number, label: string): void {
  ring?.querySelector('[role="img"]')?.setAttribute('aria-label', label)
  const arc = ring?.querySelector<SVGCircleElement>('[data-arc]')
  if (!arc) return
  arc.setAttribute('stroke-dasharray', `${CIRCUMFERENCE * share} ${CIRCUMFERENCE}`)
  arc.classList.toggle('stroke-success', share === 1)
  arc.classList.toggle('stroke-primary', share < 1)
  arc.classList.toggle('hidden', share === 0)
  const number = ring?.querySelector('[data-share]')
  if (number) number.textContent = share === 1 ? '✓' : String(Math.round(share * 100))
}
