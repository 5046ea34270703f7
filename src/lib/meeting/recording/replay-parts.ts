import { MINUTE_MS } from '#lib/core/shared/time.ts'

/** Length of a part: what is composed at a time while the event runs. */
export const PART_MS = MINUTE_MS
/** Time until a frame is in a closed segment of the recording. */
const RECORDING_DELAY_MS = 12_000
/** A shorter rest is omitted: it may hold no complete frame of audio. */
const MIN_PART_MS = 1000

export interface ReplayPart {
  /** From 0. */
  number: number
  since: Date
  until: Date
}

interface SessionTimes {
  startedAt: Date
  /** Null while the event runs. */
  finishedAt: Date | null
  now: Date
}

/** The parts of a session that can be composed: complete ones while it runs, then all. */
export function dueParts({ startedAt, finishedAt, now }: SessionTimes): ReplayPart[] {
  const [start, end] = [startedAt.getTime(), (finishedAt ?? now).getTime() - (finishedAt ? 0 : RECORDING_DELAY_MS)]
  const parts: ReplayPart[] = []
  for (let number = 0; start + number * PART_MS < end; number += 1) {
    const [since, until] = [start + number * PART_MS, Math.min(end, start + (number + 1) * PART_MS)]
    const isComplete = until - since === PART_MS
    const isRest = finishedAt !== null && (number === 0 || until - since >= MIN_PART_MS)
    if (isComplete || isRest) parts.push({ number, since: new Date(since), until: new Date(until) })
  }
  return parts
}
