import type { RecordSource } from './capture.ts'
import { AUDIO_BITS, VIDEO_BITS } from './recorder.ts'

/** The longest recording, in seconds. */
const MOST_SECONDS: Record<RecordSource, number> = { camera: 3 * 3600, screen: 3 * 3600, voice: 1800 }
/** What a recorder still writes after it was told to stop, in seconds of recording. */
const TAIL_SECONDS = 3
/** Before so many seconds the rate of a recording says little. */
const KNOWN_SECONDS = 5

export interface RecordAmount {
  source: RecordSource
  seconds: number
  bytes: number
  /** Of the task. */
  maxBytes: number
}

/** Seconds that a recording may still take, by its own rate once that is known. */
export function allowanceOf({ source, seconds, bytes, maxBytes }: RecordAmount): number {
  const planned = source === 'voice' ? AUDIO_BITS / 8 : (VIDEO_BITS + AUDIO_BITS) / 8
  const rate = seconds >= KNOWN_SECONDS && bytes > 0 ? bytes / seconds : planned
  // Recorders keep their rate only roughly.
  const tail = TAIL_SECONDS * Math.max(rate, planned)
  const bySize = (maxBytes - bytes - tail) / rate
  return Math.max(0, Math.min(bySize, MOST_SECONDS[source] - seconds))
}

/** Whether a recording must stop so that what comes behind its end still fits the limit. */
export const isUsedUp = (amount: RecordAmount): boolean => allowanceOf(amount) <= 0
