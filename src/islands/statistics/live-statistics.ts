import { onPage, refreshPage } from '#islands/stores/page.ts'

const REFRESH_MS = 10_000

// While an event runs its numbers are drawn anew, as long as somebody looks and is not in the middle of something.
onPage(() => {
  const isRunning = document.querySelector('[data-running]')
  const timer = isRunning && setInterval(() => isIdle() && refreshPage(), REFRESH_MS)
  document.addEventListener('click', seekVideo)
  return () => {
    if (timer) clearInterval(timer)
    document.removeEventListener('click', seekVideo)
  }
})

function isIdle(): boolean {
  const active = document.activeElement
  return !document.hidden && (active === null || active === document.body)
}

function seekVideo({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-film-chat] [data-second]') : null
  const video = document.querySelector<HTMLVideoElement>('[data-film-chat] video')
  if (!button || !video) return
  video.currentTime = Number(button.dataset.second)
  video.scrollIntoView({ block: 'nearest' })
  void video.play().catch(() => {})
}
