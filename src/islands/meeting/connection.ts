import { atom } from 'nanostores'
import { createEventStream } from '#islands/stores/event-stream.ts'
import type { RoomUpdate } from '#lib/meeting/room-schema.ts'

/** `lost`: without connection for eight seconds. */
export type RoomConnection = 'open' | 'connecting' | 'lost'

export const $roomConnection = atom<RoomConnection>('connecting')

export interface RoomStreamHandlers {
  /** Gets the updates in the order of the server. */
  onUpdate(update: RoomUpdate): void
  /** Events may have been missed: the room must be loaded again. */
  onGap(): void
  /** The seat token is no longer accepted: it has expired, or the participant is banned. */
  onRefused(): void
}

const LOST_MS = 8000
const RETRY = { firstMs: 500, maxMs: 10_000, jitter: 0.5 }

/**
 * Receives the updates of a room, with reconnection. Returns a function that closes the connection.
 * @param getAddress returns the address of the stream, called for each connection
 * @param lastEventId the stream starts after this event; empty when no event is known
 */
export function connectRoom(getAddress: () => string, lastEventId: string, handlers: RoomStreamHandlers): () => void {
  let lostTimer: ReturnType<typeof setTimeout> | undefined
  const showInterruption = () => {
    if ($roomConnection.get() === 'open') $roomConnection.set('connecting')
    lostTimer ??= setTimeout(() => $roomConnection.set('lost'), LOST_MS)
  }
  const stream = createEventStream({
    getAddress,
    lastEventId,
    retry: RETRY,
    followsNetwork: true,
    onMessage: (data) => handlers.onUpdate((data as { payload: RoomUpdate }).payload),
    onGap: () => handlers.onGap(),
    onOpen: () => {
      clearTimeout(lostTimer)
      lostTimer = undefined
      $roomConnection.set('open')
    },
    onInterrupted: showInterruption,
    onRefused: () => handlers.onRefused(),
  })
  $roomConnection.set('connecting')
  showInterruption()
  stream.open()
  return () => {
    clearTimeout(lostTimer)
    stream.close()
  }
}
