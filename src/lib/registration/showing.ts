import { minutesOf, planOf } from '#lib/autowebinar/plan.ts'
import { chooseShowing, offeredShowings } from '#lib/autowebinar/showing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type EventRow, loadEvent } from './event.ts'

/** When an auto-webinar may be seen. */
export interface Showing {
  startAt: Date
}

const MOST_OFFERED = 6

/**
 * The session that a registration is for: of an auto-webinar the chosen showing, which is made when it is the first one's;
 * null for the event's only one. Refuses with invalid when nothing is chosen, not_found for what is not offered.
 */
export async function showingFor(
  tx: Tx,
  asked: { workshopId: string; showing?: string | undefined; timeZone?: string | undefined },
  now: Date,
): Promise<string | null> {
  const event = await loadEvent(tx, asked.workshopId)
  if (event.type !== 'autoWebinar') return null
  // What is not for everybody is refused further on, and makes no showings.
  if (!event.published || event.canceled) return null
  if (!asked.showing) throw new Refusal('invalid', { fields: { showing: ['showing_choose'] } })
  const startAt = asked.showing === 'now' ? 'now' : new Date(asked.showing)
  const viewerZone = asked.timeZone ?? event.timeZone
  const { sessionId } = await chooseShowing(tx, asked.workshopId, { startAt, viewerZone }, now)
  return sessionId
}

/** What a visitor of an auto-webinar may choose, in the zone of their own clock, and how long it takes. */
export async function showingsFor(
  tx: Tx,
  event: EventRow,
  zone: string,
  now: Date,
): Promise<{ showings: Showing[]; onDemand: boolean; minutes: number }> {
  const none = { showings: [], onDemand: false, minutes: event.plannedMinutes }
  if (event.type !== 'autoWebinar') return none
  const plan = await planOf(tx, event.id)
  if (!plan) return none
  const minutes = plan.filmFileId && plan.lengthMs > 0 ? minutesOf(plan) : event.plannedMinutes
  const offered = await offeredShowings(tx, event.id, { now, zone, most: MOST_OFFERED })
  return { showings: offered.map(({ startAt }) => ({ startAt })), onDemand: plan.schedule.onDemand, minutes }
}

/** Seats of the event, or of one showing; null: as many as come. */
export async function capacityOf(tx: Tx, event: EventRow): Promise<number | null> {
  if (event.type !== 'autoWebinar') return event.settings.form.seats
  const plan = await planOf(tx, event.id)
  return plan?.capacity ?? null
}
