import type { SenderClock } from '../sfu/rtp.ts'
import type { MediaKind } from './packet-source.ts'

const CLOCK_RATES = { audio: 48_000, video: 90_000 } as const

/** Ms in which the quickest packet decides how late the others were. */
const WINDOW_MS = 5000
/** Ms of a step back in time that is a new beginning, and no unevenness. */
const MAX_STEP_BACK_MS = 1000

/**
 * Says when a frame was made, in ms of this machine's clock, by its RTP time. Packets come unevenly, so the quickest of
 * the last seconds says how far RTP time is from ours; a drift of the sender's clock is followed. With sender reports of
 * both tracks (RFC 3550, 6.4.1) picture and sound stand to each other as they were made.
 */
export function createMediaClock() {
  const tracks = { audio: createTrack('audio'), video: createTrack('video') }
  const shared = createOffset()

  return {
    recordSenderReport(kind: MediaKind, { ntpMs, rtpTime }: Pick<SenderClock, 'ntpMs' | 'rtpTime'>): void {
      const track = tracks[kind]
      track.apart = ntpMs - track.media(rtpTime)
    },
    /** Grows with each frame of a kind. */
    timestampFrame(kind: MediaKind, time: number, arrivedAt: number): number {
      const track = tracks[kind]
      const toMediaMs = track.media(time)
      const isSynchronised = tracks.audio.apart !== null && tracks.video.apart !== null
      const senderOffset = isSynchronised ? (track.apart ?? 0) : 0
      const offset = isSynchronised ? shared : track.offset
      // The picture waits for its encoder longer than the sound: the sound says when things happened.
      if (!isSynchronised || kind === 'audio') offset.record(arrivedAt - toMediaMs - senderOffset, arrivedAt)
      else if (!offset.isKnown()) offset.record(arrivedAt - toMediaMs - senderOffset, arrivedAt)
      const frameAt = toMediaMs + senderOffset + offset.value()
      track.last = Math.max(frameAt, track.last + 1)
      if (track.last - frameAt > MAX_STEP_BACK_MS) track.last = frameAt
      return track.last
    },
  }
}

function createTrack(kind: MediaKind) {
  let extendedTime = 0
  let previousTime = 0
  return {
    offset: createOffset(),
    /** The sender's clock less its media time, once it reported. */
    apart: null as number | null,
    last: Number.NEGATIVE_INFINITY,
    /** RTP time in ms that never wraps. */
    media(time: number): number {
      extendedTime += (time - previousTime) | 0
      previousTime = time
      return (extendedTime / CLOCK_RATES[kind]) * 1000
    },
  }
}

/** The least of what was seen in the last one to two windows. */
function createOffset() {
  let minimum = Number.POSITIVE_INFINITY
  let previousMinimum = Number.POSITIVE_INFINITY
  let windowStart = 0
  return {
    isKnown: () => minimum !== Number.POSITIVE_INFINITY,
    value: () => Math.min(minimum, previousMinimum),
    record(delay: number, now: number): void {
      if (now - windowStart > WINDOW_MS) {
        previousMinimum = minimum
        minimum = delay
        windowStart = now
      }
      if (delay < minimum) minimum = delay
    },
  }
}
