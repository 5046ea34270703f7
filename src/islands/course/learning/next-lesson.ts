import { navigateTo } from '#islands/stores/page.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

const COUNTDOWN_SECONDS = 5

/**
 * «Наступний урок за 5 с», after a film that ends a lesson. Staying is one key or click away, and so is anything else
 * that somebody does on the page. Returns what calls it off.
 */
export function offerNextLesson(container: HTMLElement, href: string, t: Translate): () => void {
  const box = container.querySelector<HTMLElement>('[data-next-offer]')
  // Nobody is taken along who looks elsewhere or writes.
  if (!box || document.hidden || document.activeElement?.matches('textarea, input')) return () => {}
  // What fills the screen would hide the question.
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  const countdown = box.querySelector<HTMLElement>('[data-seconds]')
  let secondsLeft = COUNTDOWN_SECONDS
  const showCountdown = () => {
    if (countdown) countdown.textContent = t('study:next.offer', { seconds: secondsLeft })
  }
  const tick = () => {
    secondsLeft -= 1
    if (secondsLeft > 0) return showCountdown()
    cancel()
    navigateTo(href)
  }
  const onClick = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    cancel()
    if (button.hasAttribute('data-go')) navigateTo(href)
  }
  const onActivity = (event: Event) => {
    if (event instanceof KeyboardEvent && ['Tab', 'Shift', 'Enter', ' '].includes(event.key)) return
    cancel()
  }
  const cancel = () => {
    clearInterval(timer)
    box.hidden = true
    box.removeEventListener('click', onClick)
    document.removeEventListener('keydown', onActivity)
    container.removeEventListener('play', cancel, true)
    document.removeEventListener('visibilitychange', cancel)
  }
  const timer = setInterval(tick, 1000)
  showCountdown()
  box.hidden = false
  box.querySelector<HTMLElement>('[data-stay]')?.focus({ preventScroll: true })
  box.addEventListener('click', onClick)
  document.addEventListener('keydown', onActivity)
  container.addEventListener('play', cancel, true)
  document.addEventListener('visibilitychange', cancel)
  return cancel
}
