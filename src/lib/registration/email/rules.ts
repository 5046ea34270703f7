import { LETTER_KINDS, type LetterKind } from '#lib/workshop/schema.ts'

/** Minutes after the end at which the letters with the replay leave. */
export const AFTERWARDS_MINUTES = 30
/** Whoever was gone so many minutes before the end has left early. */
export const EARLY_MINUTES = 5

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Nobody is written to between these hours of their own clock, but for what cannot wait. */
const QUIET = { from: 22, to: 8 } as const

/** Letters that come by themselves; `confirmed` answers an act. */
export const LADDER = LETTER_KINDS.filter((kind) => kind !== 'confirmed')
export type LadderKind = Exclude<LetterKind, 'confirmed'>

/** Letters about the event's beginning; they end with it. */
const BEFORE: readonly LadderKind[] = ['day', 'hour', 'tenMinutes', 'startMissed']

export interface Times {
  startAt: Date | null
  plannedMinutes: number
  finishedAt: Date | null
}

export interface Due {
  /** When the letter is to leave. */
  from: Date
  /** From then on it would speak of the past. */
  until: Date
}

/** When a letter of the ladder is due, or null while that cannot be said. */
export function dueOf(kind: LadderKind, { startAt, plannedMinutes, finishedAt }: Times): Due | null {
  if (!BEFORE.includes(kind)) return finishedAt ? span(finishedAt, AFTERWARDS_MINUTES * MINUTE, 3 * DAY) : null
  if (!startAt || finishedAt) return null
  switch (kind) {
    case 'day':
      return span(startAt, -DAY, -2 * HOUR)
    case 'hour':
      return span(startAt, -HOUR, -15 * MINUTE)
    case 'tenMinutes':
      return span(startAt, -10 * MINUTE, 5 * MINUTE)
    default:
      return span(startAt, 15 * MINUTE, Math.max(plannedMinutes, 20) * MINUTE)
  }
}

/** Whether somebody whose clock shows this hour may get such a letter now. */
export function mayDisturb(kind: LadderKind, hour: number): boolean {
  if (kind === 'hour' || kind === 'tenMinutes') return true
  return hour >= QUIET.to && hour < QUIET.from
}

const span = (at: Date, from: number, until: number): Due => ({
  from: new Date(at.getTime() + from),
  until: new Date(at.getTime() + until),
})
