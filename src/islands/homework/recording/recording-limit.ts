import type { RecordingSource } from './capture.ts'
import { AUDIO_BITS_PER_SECOND, VIDEO_BITS_PER_SECOND } from './recorder.ts'

/** The longest recording, in seconds. */
const MAX_SECONDS: Record<RecordingSource, number> = { camera: 3 * 3600, screen: 3 * 3600, voice: 1800 }
/** What a recorder still writes after it was told to stop, in seconds of recording. */
const TAIL_SECONDS = 3
/** Before so many seconds the rate of a recording says little. */
const MEASURABLE_SECONDS = 5

export interface RecordedAmount {
  source: RecordingSource
  seconds: number
  bytes: number
  /** Of the task. */
  maxBytes: number
}

/** Seconds that a recording may still take, by its own rate once that is known. */
export function remainingSeconds({ source, seconds, bytes, maxBytes }: RecordedAmount): number {
  const expectedRate =
    source === 'voice' ? AUDIO_BITS_PER_SECOND / 8 : (VIDEO_BITS_PER_SECOND + AUDIO_BITS_PER_SECOND) / 8
  const bytesPerSecond = seconds >= MEASURABLE_SECONDS && bytes > 0 ? bytes / seconds : expectedRate
  // Recorders keep their rate only roughly.
  const tailBytes = TAIL_SECONDS * Math.max(bytesPerSecond, expectedRate)
  const secondsBySize = (maxBytes - bytes - tailBytes) / bytesPerSecond
  return Math.max(0, Math.min(secondsBySize, MAX_SECONDS[source] - seconds))
}

/** Whether a recording must stop so that what comes behind its end still fits the limit. */
export const isAtLimit = (amount: RecordedAmount): boolean => remainingSeconds(amount) <= 0
