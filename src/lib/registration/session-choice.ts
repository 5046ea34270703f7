import { chooseSession, listOfferedSessions } from '#lib/autowebinar/auto-session.ts'
import { countMinutes, readPlan } from '#lib/autowebinar/plan.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type RegistrationEvent, requireEvent } from './event.ts'

/** A session of an auto-webinar to choose. */
export interface SessionChoice {
  startAt: Date
}

const MAX_OFFERED = 6

/**
 * Session of a registration: for an auto-webinar the chosen one, created if needed; null for other events. Refuses with
 * invalid without a choice, not_found for a session that is not offered.
 */
export async function resolveSession(
  tx: Tx,
  input: { workshopId: string; sessionStart?: string | undefined; timeZone?: string | undefined },
  now: Date,
): Promise<string | null> {
  const event = await requireEvent(tx, input.workshopId)
  if (event.type !== 'autoWebinar') return null
  // Unpublished events are refused later, and create no sessions.
  if (!event.isPublished || event.isCanceled) return null
  if (!input.sessionStart) throw new Refusal('invalid', { fields: { sessionStart: ['session_choose'] } })
  const startAt = input.sessionStart === 'now' ? 'now' : new Date(input.sessionStart)
  const viewerZone = input.timeZone ?? event.timeZone
  const { sessionId } = await chooseSession(tx, input.workshopId, { startAt, viewerZone }, now)
  return sessionId
}

/** Sessions that a visitor of an auto-webinar may choose, in their time zone, and the length. */
export async function listSessionChoices(
  tx: Tx,
  event: RegistrationEvent,
  zone: string,
  now: Date,
): Promise<{ sessions: SessionChoice[]; onDemand: boolean; minutes: number }> {
  const empty = { sessions: [], onDemand: false, minutes: event.plannedMinutes }
  if (event.type !== 'autoWebinar') return empty
  const plan = await readPlan(tx, event.id)
  if (!plan) return empty
  const minutes = plan.videoFileId && plan.lengthMs > 0 ? countMinutes(plan) : event.plannedMinutes
  const offered = await listOfferedSessions(tx, event.id, { now, zone, limit: MAX_OFFERED })
  return { sessions: offered.map(({ startAt }) => ({ startAt })), onDemand: plan.schedule.onDemand, minutes }
}

/** Capacity of the event or session; null: unlimited. */
export async function readCapacity(tx: Tx, event: RegistrationEvent): Promise<number | null> {
  if (event.type !== 'autoWebinar') return event.settings.form.seats
  const plan = await readPlan(tx, event.id)
  return plan?.capacity ?? null
}
