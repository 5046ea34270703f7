import { and, eq, inArray } from 'drizzle-orm'
import { spendLetters } from '#lib/billing/daily-letters.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mustManage } from '#lib/workshop/permission.ts'
import { tellAll } from '../email/announcements.ts'
import { forgetLetters, type RegistrationRow, writeAgain, writeLetters } from '../email/send.ts'
import { type EventRow, eventStatus, loadEvent } from '../event.ts'
import { cancelRow, confirmRows } from '../own.ts'
import { type StaffAct, suits } from '../rules.ts'
import { Chosen, OneRegistration, WorkshopOf } from '../schema.ts'
import { lockSeats } from '../seat.ts'
import { registration } from '../table.ts'
import { lockRows } from './people.ts'

/** How many rows an act concerned; those that it does not suit are left as they are. */
export interface Decided {
  changed: number
  left: number
}

/** Gives seats: to those who wait for the school's word, for a seat, or were declined. Refuses as mustManage, and with too_many (letters of the day). */
export const approveRegistrations = (actor: Actor, input: Chosen, now = new Date()): Promise<Decided> =>
  decide(actor, input, 'approve', async (tx, event, row) => {
    await confirmRows(tx, event, [row.id], now)
  })

/** Says no to those who wait. Refuses as approveRegistrations. */
export const declineRegistrations = (actor: Actor, input: Chosen, now = new Date()): Promise<Decided> =>
  decide(actor, input, 'decline', async (tx, event, row) => {
    const [declined] = await tx
      .update(registration)
      .set({ state: 'declined', offeredUntil: null, updatedAt: now })
      .where(eq(registration.id, row.id))
      .returning()
    if (declined) await writeLetters(tx, event, [declined], 'declined', now)
  })

/** Takes registrations back; free seats go to the waiting list. Refuses as approveRegistrations. */
export const cancelRegistrations = (actor: Actor, input: Chosen, now = new Date()): Promise<Decided> =>
  decide(actor, input, 'cancel', (tx, event, row) => cancelRow(tx, event, row, now))

/** Sends one person the letter of their state again. Refuses as mustManage, too_many, and with unprocessable where there is none. */
export function resendLetter(actor: Actor, input: OneRegistration, now = new Date()): Promise<void> {
  const { workshopId, registrationId } = OneRegistration.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const [row] = await lockRows(tx, workshopId, [registrationId])
    if (!row || !suits('resend', row.state)) throw new Refusal('unprocessable')
    const event = await loadEvent(tx, workshopId, row.sessionId)
    const kind = row.state === 'canceled' || row.state === 'declined' ? 'confirmed' : row.state
    await spendLetters(tx, actor, 'registrations', 1)
    const written = await writeLetters(tx, event, [row], kind, now)
    if (written === 0) await writeAgain(tx, event, row, kind, now)
  })
}

/**
 * Asks everybody's pardon for an event that did not take place. Once; a minute long they can be recalled. Refuses as
 * mustManage, and with unprocessable while the event is not expired.
 */
export async function apologize(
  actor: Actor,
  input: { workshopId: string },
  now = new Date(),
): Promise<{ sent: number }> {
  const { workshopId } = WorkshopOf.parse(input)
  const event = await inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const found = await loadEvent(tx, workshopId)
    if (eventStatus(found, now) !== 'expired' || found.canceled) throw new Refusal('unprocessable')
    return found
  })
  return { sent: await tellAll(event, 'apology', ['confirmed'], now) }
}

type Act = (tx: Tx, event: EventRow, row: RegistrationRow) => Promise<void>

function decide(actor: Actor, input: Chosen, act: StaffAct, run: Act): Promise<Decided> {
  const { workshopId, registrationIds } = Chosen.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const events = await lockEvents(tx, workshopId, registrationIds)
    const rows = await lockRows(tx, workshopId, registrationIds)
    const suited = rows.filter(({ state }) => suits(act, state))
    if (suited.length > 0) await spendLetters(tx, actor, 'registrations', suited.length)
    for (const row of suited) {
      const own = events.get(row.sessionId)
      if (!own) throw new Refusal('not_found')
      if (act === 'approve') await forgetLetters(tx, own, [row.id], ['confirmed'])
      await run(tx, own, row)
    }
    return { changed: suited.length, left: rows.length - suited.length }
  })
}

/** The event, or its showings that these are for, with their seats held: before the rows, as everywhere, and in one order. */
async function lockEvents(tx: Tx, workshopId: string, ids: string[]): Promise<Map<string | null, EventRow>> {
  const { id, sessionId } = registration
  const sessions = await tx
    .selectDistinct({ sessionId })
    .from(registration)
    .where(and(eq(registration.workshopId, workshopId), inArray(id, ids)))
    .orderBy(sessionId)
  const events = new Map<string | null, EventRow>()
  for (const one of sessions) {
    const event = await loadEvent(tx, workshopId, one.sessionId)
    await lockSeats(tx, event)
    events.set(one.sessionId, event)
  }
  return events
}
