import { onPage, refreshPage } from '#islands/stores/page.ts'

const REFRESH_MS = 10_000

// While an event runs its numbers are drawn anew, as long as somebody looks and is not in the middle of something.
onPage(() => {
  const running = document.querySelector('[data-running]')
  const timer = running && setInterval(() => isIdle() && refreshPage(), REFRESH_MS)
  document.addEventListener('click', seek)
  return () => {
    if (timer) clearInterval(timer)
    document.removeEventListener('click', seek)
  }
})

function isIdle(): boolean {
  const active = document.activeElement
  return !document.hidden && (active === null || active === document.body)
}

function seek({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-film-chat] [data-second]') : null
  const film = document.querySelector<HTMLVideoElement>('[data-film-chat] video')
  if (!button || !film) return
  film.currentTime = Number(button.dataset.second)
  film.scrollIntoView({ block: 'nearest' })
  void film.play().catch(() => {})
}
