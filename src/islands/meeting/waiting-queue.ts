import type { PlaceView } from '#lib/meeting/room-schema.ts'
import { connectRoom } from './connection.ts'

/** Shows the position in the waiting queue and opens the room as soon as the server assigns a seat. */
export function waitForSeat(section: HTMLElement): void {
  const { queue: seatToken = '', room: roomPath = '/', open: openingText = '' } = section.dataset
  const query = new URLSearchParams({ seatToken })
  let entered = false
  const enter = () => {
    if (entered) return
    entered = true
    close()
    setText(section, '[data-message]', openingText)
    location.replace(roomPath)
  }
  const showPlace = (place: number) => setText(section, '[data-place]', String(place))
  const requestPlace = async () => {
    const response = await fetch(`/v1/module/meeting/getPlace?${query}`, { headers: { accept: 'application/json' } })
    if (!response.ok) return location.reload()
    const { place, admitted }: PlaceView = await response.json()
    if (admitted) enter()
    else showPlace(place)
  }
  const refreshPlace = () => void requestPlace().catch(() => {})
  const close = connectRoom(() => `/v1/meeting/live?${query}`, '', {
    onUpdate(update) {
      if ('admitted' in update) enter()
      else if ('place' in update) showPlace(update.place)
    },
    onGap: refreshPlace,
    onRefused: () => location.reload(),
  })
  // Polling also shows the server that the viewer is still waiting, in case the stream is blocked.
  setInterval(refreshPlace, POLL_MS)
}

const POLL_MS = 20_000

function setText(section: HTMLElement, selector: string, text: string): void {
  const element = section.querySelector(selector)
  if (element && element.textContent !== text) element.textContent = text
}
