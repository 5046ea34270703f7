import { EMAIL_KINDS, type EmailKind } from '#lib/core/shared/event/live-event.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'

/** Minutes after the end at which the follow-up emails are sent. */
export const FOLLOW_UP_DELAY_MINUTES = 30
/** A participant absent for the last minutes has left early. */
export const LEFT_EARLY_MINUTES = 5

/** No email between these local hours, except urgent ones. */
const QUIET_HOURS = { from: 22, to: 8 } as const

/** Automatic emails; `confirmed` is caused by an action. */
export const REMINDER_KINDS = EMAIL_KINDS.filter((kind) => kind !== 'confirmed')
export type ReminderKind = Exclude<EmailKind, 'confirmed'>

/** Emails about the start; they expire with it. */
const BEFORE_END_KINDS: readonly ReminderKind[] = ['day', 'hour', 'tenMinutes', 'startMissed']

export interface EventTimes {
  startAt: Date | null
  plannedMinutes: number
  finishedAt: Date | null
}

export interface SendWindow {
  /** When the email is sent. */
  sendAt: Date
  /** After this time it is outdated. */
  expiresAt: Date
}

/** Time window in which a reminder is sent, or null while it is unknown. */
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

/** Whether a reminder may be sent at this local hour. */
export function canSendAtHour(kind: ReminderKind, hour: number): boolean {
  if (kind === 'hour' || kind === 'tenMinutes') return true
  return hour >= QUIET_HOURS.to && hour < QUIET_HOURS.from
}

const windowAround = (instant: Date, from: number, until: number): SendWindow => ({
  sendAt: new Date(instant.getTime() + from),
  expiresAt: new Date(instant.getTime() + until),
})
