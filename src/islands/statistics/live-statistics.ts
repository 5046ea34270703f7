import { onPage, refreshPage } from '#islands/stores/page.ts'

const REFRESH_MS = 10_000

// Refreshes the statistics of a running event while the page is visible and nothing has the focus.
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
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-video-chat] [data-second]') : null
  const video = document.querySelector<HTMLVideoElement>('[data-video-chat] video')
  if (!button || !video) return
  video.currentTime = Number(button.dataset.second)
  video.scrollIntoView({ block: 'nearest' })
  void video.play().catch(() => {})
}
