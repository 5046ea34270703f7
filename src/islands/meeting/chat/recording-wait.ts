import { api } from '#islands/stores/api.ts'

/*
 * Polls whether the recording is ready and reloads the page then, but not while the rating form has unsaved text.
 */

const POLL_MS = 10_000

function reloadWhenReady(): void {
  const section = document.querySelector<HTMLElement>('[data-replay="making"]')
  const seatToken = section?.dataset.seatToken
  if (!section || !seatToken) return
  const timer = setInterval(async () => {
    if (!section.isConnected) return clearInterval(timer)
    const replay = await api.meeting.getReplay({ seatToken }, { context: { isQuiet: true } }).catch(() => null)
    if (!replay || replay.is === 'making' || hasUnsentRating()) return
    clearInterval(timer)
    location.reload()
  }, POLL_MS)
}

const hasUnsentRating = (): boolean => {
  const text = document.querySelector<HTMLTextAreaElement>('#rating-text')
  return text !== null && text.value !== text.defaultValue
}

reloadWhenReady()
