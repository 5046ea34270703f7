import { subscribe } from '#islands/stores/live.ts'
import { isLocale } from '#lib/core/shared/locale.ts'
import { speak } from '#lib/core/shared/strings.ts'

interface Moved {
  studentId: string
  completed: number
  total: number
}

/** The students' progress on this page moves as they do. */
const list = document.querySelector<HTMLElement>('[data-watch]')
const locale = document.documentElement.lang

if (list && isLocale(locale)) {
  const say = speak({ 'course:progress': list.dataset.words ?? '' }, locale)
  subscribe<Moved>(
    `course:${list.dataset.watch}`,
    ({ studentId, completed, total }) => {
      const row = list.querySelector(`[data-student="${CSS.escape(studentId)}"]`)
      const words = say('course:progress', { done: completed, total })
      const text = row?.querySelector('[data-progress]')
      if (text) text.textContent = words
      draw(row?.querySelector('[data-ring]') ?? null, total === 0 ? 0 : completed / total, words)
    },
    () => location.reload(),
  )
}

const LENGTH = 2 * Math.PI * 18

function draw(ring: Element | null, share: number, words: string): void {
  ring?.querySelector('[role="img"]')?.setAttribute('aria-label', words)
  const arc = ring?.querySelector<SVGCircleElement>('[data-arc]')
  if (!arc) return
  arc.setAttribute('stroke-dasharray', `${LENGTH * share} ${LENGTH}`)
  arc.classList.toggle('stroke-success', share === 1)
  arc.classList.toggle('stroke-primary', share < 1)
  arc.classList.toggle('hidden', share === 0)
  const number = ring?.querySelector('[data-share]')
  if (number) number.textContent = share === 1 ? '✓' : String(Math.round(share * 100))
}
