import { AUDIO_BITS_PER_SECOND, VIDEO_BITS_PER_SECOND } from '#islands/broadcast/recorder.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import type { RecordingSource } from './capture.ts'

/** The longest recording, in seconds. */
const MAX_SECONDS: Record<RecordingSource, number> = { camera: 3 * HOUR_SECONDS, screen: 3 * HOUR_SECONDS, voice: 1800 }
/** Seconds that a recorder still writes after stop. */
const TAIL_SECONDS = 3
/** The measured rate is reliable after this time. */
const MEASURABLE_SECONDS = 5

export interface RecordedAmount {
  source: RecordingSource
  seconds: number
  bytes: number
  /** Size limit of the task. */
  maxBytes: number
}

/** Remaining seconds, by the measured rate once it is reliable. */
export function remainingSeconds({ source, seconds, bytes, maxBytes }: RecordedAmount): number {
  const expectedRate =
    source === 'voice' ? AUDIO_BITS_PER_SECOND / 8 : (VIDEO_BITS_PER_SECOND + AUDIO_BITS_PER_SECOND) / 8
  const bytesPerSecond = seconds >= MEASURABLE_SECONDS && bytes > 0 ? bytes / seconds : expectedRate
  // Recorders keep their bit rate only approximately.
  const tailBytes = TAIL_SECONDS * Math.max(bytesPerSecond, expectedRate)
  const secondsBySize = (maxBytes - bytes - tailBytes) / bytesPerSecond
  return Math.max(0, Math.min(secondsBySize, MAX_SECONDS[source] - seconds))
}

/** Whether a recording must stop so that its last chunk fits the limit. */
export const isAtLimit = (amount: RecordedAmount): boolean => remainingSeconds(amount) <= 0
