import { mainOf } from './companion.ts'
import type { StreamClaims } from './stream-ticket.ts'

/** Ms that a ticket lives at most: an expulsion older than this stops nobody any more. */
const REMEMBERED = 15 * 60_000

export interface Expulsion {
  /** Only what they publish: they go on watching. */
  publishing?: boolean
  /** Only this stream of theirs. */
  stream?: string | null
}

type Who = Pick<StreamClaims, 'room' | 'person'>
type Act = Pick<StreamClaims, 'room' | 'person' | 'stream' | 'direction'>

/** Who was expelled from which room and when (ms), for as long as a ticket from before may be shown. */
export function rememberExpelled() {
  const expelled = new Map<string, number>()

  function sweep(now: number): void {
    for (const [key, at] of expelled) if (now - at > REMEMBERED) expelled.delete(key)
  }

  return {
    note({ room, person }: Who, { publishing = false, stream = null }: Expulsion, now: number): void {
      sweep(now)
      expelled.set(keyOf({ room, person, direction: 'publish', stream: stream ?? EACH }), now)
      if (!publishing) expelled.set(keyOf({ room, person, direction: 'play', stream: stream ?? EACH }), now)
    },
    /** Whether a ticket issued then (seconds since 1970) is from before an expulsion; one of the same second is. */
    isOut(act: Act, issued: number): boolean {
      const times = [mainOf(act.stream), EACH].map((stream) => expelled.get(keyOf({ ...act, stream })))
      return times.some((at) => at !== undefined && issued * 1000 <= at)
    },
  }
}

const EACH = '*'
const keyOf = ({ room, person, direction, stream }: Act): string => [room, person, direction, stream].join('/')
