import { api } from '#islands/stores/api.ts'

/*
 * A page whose film is still being made asks for it, and shows it by itself. What is half written in the rating stays:
 * then the page waits until it is sent.
 */

const EVERY_MS = 10_000

function watch(): void {
  const place = document.querySelector<HTMLElement>('[data-replay="making"]')
  const ticket = place?.dataset.ticket
  if (!place || !ticket) return
  const timer = setInterval(async () => {
    if (!place.isConnected) return clearInterval(timer)
    const replay = await api.meeting.getReplay({ ticket }, { context: { quiet: true } }).catch(() => null)
    if (!replay || replay.is === 'making' || writes()) return
    clearInterval(timer)
    location.reload()
  }, EVERY_MS)
}

const writes = (): boolean => {
  const text = document.querySelector<HTMLTextAreaElement>('#rating-text')
  return text !== null && text.value !== text.defaultValue
}

watch()
