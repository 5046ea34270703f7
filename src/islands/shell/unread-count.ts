import { onPage, runWhenIdle } from '#islands/stores/page.ts'

/*
 * The number of unread notifications in the top bar, exact on all devices: a live event tells that it has changed, and
 * the number is read again. Loaded when the page is idle.
 */
const MAX_SHOWN = 99
const BUNDLE_MS = 300
const IDLE_TIMEOUT_MS = 3000

onPage(() => {
  const bell = document.querySelector<HTMLElement>('[data-bell]')
  const member = bell?.dataset.bell
  if (!bell || !member) return undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = () => {}
  let isLeft = false
  const refresh = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void readCount(bell), BUNDLE_MS)
  }
  const showAgain = () => {
    if (document.visibilityState === 'visible') refresh()
  }
  runWhenIdle(async () => {
    const { subscribe } = await import('#islands/stores/live.ts')
    if (!isLeft) stop = subscribe(`notification:${member}`, refresh, refresh)
  }, IDLE_TIMEOUT_MS)
  document.addEventListener('visibilitychange', showAgain)
  return () => {
    isLeft = true
    clearTimeout(timer)
    stop()
    document.removeEventListener('visibilitychange', showAgain)
  }
})

async function readCount(bell: HTMLElement): Promise<void> {
  // A failed request is not reported to the user: the next event or page shows the number.
  const response = await fetch('/v1/module/notification/countUnread', {
    headers: { accept: 'application/json' },
  }).catch(() => null)
  if (!response?.ok) return
  const { count } = (await response.json()) as { count: number }
  const shown = bell.querySelector<HTMLElement>('[data-bell-count]')
  const spoken = bell.querySelector<HTMLElement>('[data-bell-text]')
  if (!shown || !spoken) return
  shown.textContent = count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count)
  shown.hidden = count === 0
  spoken.textContent = (spoken.dataset.bellText ?? '').replace('#', String(count))
  spoken.hidden = count === 0
}
