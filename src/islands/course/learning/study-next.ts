import { goTo } from '#islands/stores/page.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'

const SECONDS = 5

/**
 * «Наступний урок за 5 с», after a film that ends a lesson. Staying is one key or click away, and so is anything else
 * that somebody does on the page. Returns what calls it off.
 */
export function offerNext(place: HTMLElement, href: string, say: Say): () => void {
  const box = place.querySelector<HTMLElement>('[data-next-offer]')
  // Nobody is taken along who looks elsewhere or writes.
  if (!box || document.hidden || document.activeElement?.matches('textarea, input')) return () => {}
  // What fills the screen would hide the question.
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  const line = box.querySelector<HTMLElement>('[data-seconds]')
  let left = SECONDS
  const tell = () => {
    if (line) line.textContent = say('study:next.offer', { seconds: left })
  }
  const tick = () => {
    left -= 1
    if (left > 0) return tell()
    end()
    goTo(href)
  }
  const click = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    end()
    if (button.hasAttribute('data-go')) goTo(href)
  }
  const act = (event: Event) => {
    if (event instanceof KeyboardEvent && ['Tab', 'Shift', 'Enter', ' '].includes(event.key)) return
    end()
  }
  const end = () => {
    clearInterval(timer)
    box.hidden = true
    box.removeEventListener('click', click)
    document.removeEventListener('keydown', act)
    place.removeEventListener('play', end, true)
    document.removeEventListener('visibilitychange', end)
  }
  const timer = setInterval(tick, 1000)
  tell()
  box.hidden = false
  box.querySelector<HTMLElement>('[data-stay]')?.focus({ preventScroll: true })
  box.addEventListener('click', click)
  document.addEventListener('keydown', act)
  place.addEventListener('play', end, true)
  document.addEventListener('visibilitychange', end)
  return end
}
