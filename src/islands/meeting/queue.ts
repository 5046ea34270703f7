import type { PlaceView } from '#lib/meeting/room-schema.ts'
import { connect } from './connection.ts'

/** Goes into the room by itself as soon as there is a seat, and shows the place in the queue until then. */
export function waitForSeat(section: HTMLElement): void {
  const { queue: ticket = '', room = '/', open = '' } = section.dataset
  const query = new URLSearchParams({ ticket })
  let entered = false
  const enter = () => {
    if (entered) return
    entered = true
    close()
    say(section, '[data-says]', open)
    location.replace(room)
  }
  const show = (place: number) => say(section, '[data-place]', String(place))
  const ask = async () => {
    const answer = await fetch(`/v1/module/meeting/getPlace?${query}`, { headers: { accept: 'application/json' } })
    if (!answer.ok) return location.reload()
    const { place, admitted }: PlaceView = await answer.json()
    if (admitted) enter()
    else show(place)
  }
  const look = () => void ask().catch(() => {})
  const close = connect(() => `/v1/meeting/live?${query}`, '', {
    news(news) {
      if ('admitted' in news) enter()
      else if ('place' in news) show(news.place)
    },
    missed: look,
    refused: () => location.reload(),
  })
  // The server keeps the place of who is heard of, by the stream or by this.
  setInterval(look, ASK_MS)
}

const ASK_MS = 20_000

function say(section: HTMLElement, where: string, text: string): void {
  const element = section.querySelector(where)
  if (element && element.textContent !== text) element.textContent = text
}
