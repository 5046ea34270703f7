import { navigateTo } from '#islands/stores/page.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

const COUNTDOWN_SECONDS = 5

/**
 * Offers the next lesson after the last video of a lesson, with a countdown. Any key or click cancels it. Returns a
 * function that cancels it.
 */
export function offerNextLesson(container: HTMLElement, href: string, t: Translate): () => void {
  const box = container.querySelector<HTMLElement>('[data-next-offer]')
  // Not offered while the page is hidden or the student is typing.
  if (!box || document.hidden || document.activeElement?.matches('textarea, input')) return () => {}
  // A full-screen video would hide the offer.
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
