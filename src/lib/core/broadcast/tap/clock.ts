import type { Clock } from '../sfu/rtp.ts'
import type { Kind } from './tapped.ts'

const RATES = { audio: 48_000, video: 90_000 } as const

/** Ms in which the quickest packet decides how late the others were. */
const WINDOW = 5000
/** Ms of a step back in time that is a new beginning, and no unevenness. */
const JUMP = 1000

/**
 * Says when a frame was made, in ms of this machine's clock, by its RTP time. Packets come unevenly, so the quickest of
 * the last seconds says how far RTP time is from ours; a drift of the sender's clock is followed. With sender reports of
 * both tracks (RFC 3550, 6.4.1) picture and sound stand to each other as they were made.
 */
export function createClock() {
  const tracks = { audio: newTrack('audio'), video: newTrack('video') }
  const shared = newOffset()

  return {
    report(kind: Kind, { milliseconds, time }: Pick<Clock, 'milliseconds' | 'time'>): void {
      const track = tracks[kind]
      track.apart = milliseconds - track.media(time)
    },
    /** Grows with each frame of a kind. */
    stamp(kind: Kind, time: number, arrived: number): number {
      const track = tracks[kind]
      const media = track.media(time)
      const joint = tracks.audio.apart !== null && tracks.video.apart !== null
      const apart = joint ? (track.apart ?? 0) : 0
      const offset = joint ? shared : track.offset
      // The picture waits for its encoder longer than the sound: the sound says when things happened.
      if (!joint || kind === 'audio') offset.seen(arrived - media - apart, arrived)
      else if (!offset.known()) offset.seen(arrived - media - apart, arrived)
      const right = media + apart + offset.value()
      track.last = Math.max(right, track.last + 1)
      if (track.last - right > JUMP) track.last = right
      return track.last
    },
  }
}

function newTrack(kind: Kind) {
  let wide = 0
  let before = 0
  return {
    offset: newOffset(),
    /** The sender's clock less its media time, once it reported. */
    apart: null as number | null,
    last: Number.NEGATIVE_INFINITY,
    /** RTP time in ms that never wraps. */
    media(time: number): number {
      wide += (time - before) | 0
      before = time
      return (wide / RATES[kind]) * 1000
    },
  }
}

/** The least of what was seen in the last one to two windows. */
function newOffset() {
  let least = Number.POSITIVE_INFINITY
  let earlier = Number.POSITIVE_INFINITY
  let began = 0
  return {
    known: () => least !== Number.POSITIVE_INFINITY,
    value: () => Math.min(least, earlier),
    seen(late: number, now: number): void {
      if (now - began > WINDOW) {
        earlier = least
        least = late
        began = now
      }
      if (late < least) least = late
    },
  }
}
