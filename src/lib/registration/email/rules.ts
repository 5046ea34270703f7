import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { EMAIL_KINDS, type EmailKind } from '#lib/workshop/schema.ts'

/** Minutes after the end at which the letters with the replay leave. */
export const FOLLOW_UP_DELAY_MINUTES = 30
/** Whoever was gone so many minutes before the end has left early. */
export const LEFT_EARLY_MINUTES = 5

/** Nobody is written to between these hours of their own clock, but for what cannot wait. */
const QUIET_HOURS = { from: 22, to: 8 } as const

/** Letters that come by themselves; `confirmed` answers an act. */
export const REMINDER_KINDS = EMAIL_KINDS.filter((kind) => kind !== 'confirmed')
export type ReminderKind = Exclude<EmailKind, 'confirmed'>

/** Letters about the event's beginning; they end with it. */
const BEFORE_END_KINDS: readonly ReminderKind[] = ['day', 'hour', 'tenMinutes', 'startMissed']

export interface EventTimes {
  startAt: Date | null
  plannedMinutes: number
  finishedAt: Date | null
}

export interface SendWindow {
  /** When the letter is to leave. */
  sendAt: Date
  /** From then on it would speak of the past. */
  expiresAt: Date
}

/** When a letter of the ladder is due, or null while that cannot be said. */
export function findSendWindow(
  kind: ReminderKind,
  { startAt, plannedMinutes, finishedAt }: EventTimes,
): SendWindow | null {
  if (!BEFORE_END_KINDS.includes(kind))
    return finishedAt ? windowAround(finishedAt, FOLLOW_UP_DELAY_MINUTES * MINUTE_MS, 3 * DAY_MS) : null
  if (!startAt || finishedAt) return null
  switch (kind) {
    case 'day':
      return windowAround(startAt, -DAY_MS, -2 * HOUR_MS)
    case 'hour':
      return windowAround(startAt, -HOUR_MS, -15 * MINUTE_MS)
    case 'tenMinutes':
      return windowAround(startAt, -10 * MINUTE_MS, 5 * MINUTE_MS)
    default:
      return windowAround(startAt, 15 * MINUTE_MS, Math.max(plannedMinutes, 20) * MINUTE_MS)
  }
}

/** Whether somebody whose clock shows this hour may get such a letter now. */
export function canSendAtHour(kind: ReminderKind, hour: number): boolean {
  if (kind === 'hour' || kind === 'tenMinutes') return true
  return hour >= QUIET_HOURS.to && hour < QUIET_HOURS.from
}

const windowAround = (instant: Date, from: number, until: number): SendWindow => ({
  sendAt: new Date(instant.getTime() + from),
  expiresAt: new Date(instant.getTime() + until),
})
