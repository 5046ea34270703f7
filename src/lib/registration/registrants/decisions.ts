import { and, eq, inArray } from 'drizzle-orm'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireManagedWorkshop } from '#lib/workshop/permission.ts'
import { emailRegistrants } from '../email/announcements.ts'
import { deleteEmailRecords, type RegistrationRow, resendEmail, sendEmails } from '../email/send.ts'
import { eventStatus, type RegistrationEvent, requireEvent } from '../event.ts'
import { cancelRegistration, confirmRegistrations } from '../own-registration.ts'
import { canApply, type RegistrationAction } from '../rules.ts'
import type { RegistrationRef, SelectedRegistrations } from '../schema.ts'
import { lockEventSeats } from '../seat.ts'
import { registration } from '../table.ts'
import { lockRegistrations } from './registrants.ts'

/** Number of changed rows, and of those to which the action does not apply. */
export interface DecisionOutcome {
  changed: number
  skipped: number
}

/**
 * Approves registrations that are pending, waitlisted or declined. Refuses like requireManagedWorkshop, and with
 * too_many (daily email limit).
 */
export const approveRegistrations = (
  actor: Actor,
  input: SelectedRegistrations,
  now = new Date(),
): Promise<DecisionOutcome> =>
  changeRegistrations(actor, input, 'approve', async (tx, event, row) => {
    await confirmRegistrations(tx, event, [row.id], now)
  })

/** Declines waiting registrations. Refuses like approveRegistrations. */
export const declineRegistrations = (
  actor: Actor,
  input: SelectedRegistrations,
  now = new Date(),
): Promise<DecisionOutcome> =>
  changeRegistrations(actor, input, 'decline', async (tx, event, row) => {
    const [declined] = await tx
      .update(registration)
      .set({ state: 'declined', offeredUntil: null, updatedAt: now })
      .where(eq(registration.id, row.id))
      .returning()
    if (declined) await sendEmails(tx, event, [declined], 'declined', now)
  })

/** Cancels registrations; freed seats go to the waiting list. Refuses like approveRegistrations. */
export const cancelRegistrations = (
  actor: Actor,
  input: SelectedRegistrations,
  now = new Date(),
): Promise<DecisionOutcome> =>
  changeRegistrations(actor, input, 'cancel', (tx, event, row) => cancelRegistration(tx, event, row, now))

/**
 * Sends the email of a registration's state again. Refuses like requireManagedWorkshop, too_many, and unprocessable
 * where there is none.
 */
export function resendEmailOf(actor: Actor, input: RegistrationRef, now = new Date()): Promise<void> {
  const { workshopId, registrationId } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const [row] = await lockRegistrations(tx, workshopId, [registrationId])
    if (!row || !canApply('resend', row.state)) throw new Refusal('unprocessable')
    const event = await requireEvent(tx, workshopId, row.sessionId)
    const kind = row.state === 'canceled' || row.state === 'declined' ? 'confirmed' : row.state
    await spendDailyEmails(tx, actor, 'registrations', 1)
    const written = await sendEmails(tx, event, [row], kind, now)
    if (written === 0) await resendEmail(tx, event, row, kind, now)
  })
}

/**
 * Sends an apology for an event that did not take place, once; it can be recalled for a minute. Refuses like
 * requireManagedWorkshop, and with unprocessable while the event is not expired.
 */
export async function sendApology(
  actor: Actor,
  input: { workshopId: string },
  now = new Date(),
): Promise<{ sent: number }> {
  const { workshopId } = input
  const event = await inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const event = await requireEvent(tx, workshopId)
    if (eventStatus(event, now) !== 'expired' || event.isCanceled) throw new Refusal('unprocessable')
    return event
  })
  return { sent: await emailRegistrants(event, 'apology', ['confirmed'], now) }
}

type RegistrationChange = (tx: Tx, event: RegistrationEvent, row: RegistrationRow) => Promise<void>

function changeRegistrations(
  actor: Actor,
  input: SelectedRegistrations,
  action: RegistrationAction,
  change: RegistrationChange,
): Promise<DecisionOutcome> {
  const { workshopId, registrationIds } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const events = await lockEvents(tx, workshopId, registrationIds)
    const rows = await lockRegistrations(tx, workshopId, registrationIds)
    const allowed = rows.filter(({ state }) => canApply(action, state))
    if (allowed.length > 0) await spendDailyEmails(tx, actor, 'registrations', allowed.length)
    for (const row of allowed) {
      const event = events.get(row.sessionId)
      if (!event) throw new Refusal('not_found')
      if (action === 'approve') await deleteEmailRecords(tx, event, [row.id], ['confirmed'])
      await change(tx, event, row)
    }
    return { changed: allowed.length, skipped: rows.length - allowed.length }
  })
}

/**
 * The event's sessions of these registrations, with their seats locked: before the rows, as everywhere, and in a fixed
 * order.
 */
async function lockEvents(tx: Tx, workshopId: string, ids: string[]): Promise<Map<string | null, RegistrationEvent>> {
  const { id, sessionId } = registration
  const sessions = await tx
    .selectDistinct({ sessionId })
    .from(registration)
    .where(and(eq(registration.workshopId, workshopId), inArray(id, ids)))
    .orderBy(sessionId)
  const events = new Map<string | null, RegistrationEvent>()
  for (const session of sessions) {
    const event = await requireEvent(tx, workshopId, session.sessionId)
    await lockEventSeats(tx, event)
    events.set(session.sessionId, event)
  }
  return events
}
