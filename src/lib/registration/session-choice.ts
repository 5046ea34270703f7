import { chooseSession, listOfferedSessions } from '#lib/autowebinar/auto-session.ts'
import { countMinutes, readPlan } from '#lib/autowebinar/plan.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type RegistrationEvent, requireEvent } from './event.ts'

/** When an auto-webinar may be seen. */
export interface SessionChoice {
  startAt: Date
}

const MAX_OFFERED = 6

/**
 * The session that a registration is for: of an auto-webinar the chosen showing, which is made when it is the first one's;
 * null for the event's only one. Refuses with invalid when nothing is chosen, not_found for what is not offered.
 */
export async function resolveSession(
  tx: Tx,
  input: { workshopId: string; showing?: string | undefined; timeZone?: string | undefined },
  now: Date,
): Promise<string | null> {
  const event = await requireEvent(tx, input.workshopId)
  if (event.type !== 'autoWebinar') return null
  // What is not for everybody is refused further on, and makes no showings.
  if (!event.isPublished || event.isCanceled) return null
  if (!input.showing) throw new Refusal('invalid', { fields: { showing: ['showing_choose'] } })
  const startAt = input.showing === 'now' ? 'now' : new Date(input.showing)
  const viewerZone = input.timeZone ?? event.timeZone
  const { sessionId } = await chooseSession(tx, input.workshopId, { startAt, viewerZone }, now)
  return sessionId
}

/** What a visitor of an auto-webinar may choose, in the zone of their own clock, and how long it takes. */
export async function listSessionChoices(
  tx: Tx,
  event: RegistrationEvent,
  zone: string,
  now: Date,
): Promise<{ showings: SessionChoice[]; onDemand: boolean; minutes: number }> {
  const empty = { showings: [], onDemand: false, minutes: event.plannedMinutes }
  if (event.type !== 'autoWebinar') return empty
  const plan = await readPlan(tx, event.id)
  if (!plan) return empty
  const minutes = plan.filmFileId && plan.lengthMs > 0 ? countMinutes(plan) : event.plannedMinutes
  const offered = await listOfferedSessions(tx, event.id, { now, zone, limit: MAX_OFFERED })
  return { showings: offered.map(({ startAt }) => ({ startAt })), onDemand: plan.schedule.onDemand, minutes }
}

/** Seats of the event, or of one showing; null: as many as come. */
export async function readCapacity(tx: Tx, event: RegistrationEvent): Promise<number | null> {
  if (event.type !== 'autoWebinar') return event.settings.form.seats
  const plan = await readPlan(tx, event.id)
  return plan?.capacity ?? null
}
