import type { SenderClock } from '../sfu/rtp.ts'
import type { MediaKind } from './packet-source.ts'

const CLOCK_RATES = { audio: 48_000, video: 90_000 } as const

/** Window in which the fastest packet is the reference for the delay of the others. */
const WINDOW_MS = 5000
/** A larger step back means that the sender restarted. */
const MAX_STEP_BACK_MS = 1000

/**
 * Converts RTP timestamps of frames to capture times in ms of this machine. The packet with the least delay in the last
 * seconds gives the offset, so network jitter is removed and clock drift is followed. With sender reports of both
 * tracks (RFC 3550, 6.4.1) audio and video are synchronized.
 */
export function createMediaClock() {
  const tracks = { audio: createTrack('audio'), video: createTrack('video') }
  const shared = createOffset()

  return {
    recordSenderReport(kind: MediaKind, { ntpMs, rtpTime }: Pick<SenderClock, 'ntpMs' | 'rtpTime'>): void {
      const track = tracks[kind]
      track.apart = ntpMs - track.media(rtpTime)
    },
    /** Strictly increasing per track. */
    timestampFrame(kind: MediaKind, time: number, arrivedAt: number): number {
      const track = tracks[kind]
      const toMediaMs = track.media(time)
      const isSynchronized = tracks.audio.apart !== null && tracks.video.apart !== null
      const senderOffset = isSynchronized ? (track.apart ?? 0) : 0
      const offset = isSynchronized ? shared : track.offset
      // Video is delayed by its encoder more than audio, so audio is the reference.
      if (!isSynchronized || kind === 'audio') offset.record(arrivedAt - toMediaMs - senderOffset, arrivedAt)
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
    /** The sender's wall clock minus the media time; null before the first report. */
    apart: null as number | null,
    last: Number.NEGATIVE_INFINITY,
    /** RTP time in ms without wrap-around. */
    media(time: number): number {
      extendedTime += (time - previousTime) | 0
      previousTime = time
      return (extendedTime / CLOCK_RATES[kind]) * 1000
    },
  }
}

/** Minimum of the recorded values in the last one to two windows. */
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
