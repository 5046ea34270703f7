import { and, eq, inArray } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { RegistrationState } from '#lib/core/shared/event/live-event.ts'
import { entryAddress } from './address.ts'
import { type EntryLinks, entryLinks } from './calendar.ts'
import { planLetters } from './email/plan.ts'
import { forgetLetters, type RegistrationRow, writeLetters } from './email/send.ts'
import { type EventRow, eventStatus, loadEvent } from './event.ts'
import { digestOf } from './key.ts'
import { freeSeats } from './rules.ts'
import { type Answers, EditOwn, Own, readAnswers, SetReminders } from './schema.ts'
import { lockSeats, offerSeats, seatsOf } from './seat.ts'
import { capacityOf } from './showing.ts'
import { registration } from './table.ts'

/** A registration as whoever holds its link sees it. */
export interface OwnView {
  state: RegistrationState
  name: string
  email: string
  phone: string
  answers: Answers
  timeZone: string
  /** A seat is kept for them until then; past: it was, and went on. */
  offeredUntil: Date | null
  reminders: boolean
  /** The personal link, while it lets in. */
  join: string | null
  links: EntryLinks | null
  /** The showing of an auto-webinar; otherwise the event's start. */
  startAt: Date | null
  /** Whether it can still be given up. */
  ahead: boolean
}

/** The registration behind a personal link. Refuses with not_found. */
export function openOwn(tenantId: string, input: Own, now = new Date()): Promise<OwnView> {
  return inTenant({ tenantId }, async (tx) => {
    const { event, row, key } = await mine(tx, input)
    const join = row.state === 'confirmed' && !event.canceled ? entryAddress(event, key) : null
    const status = eventStatus(event, now)
    return {
      state: row.state,
      name: row.name,
      email: row.email,
      phone: row.phone ?? '',
      answers: row.answers,
      timeZone: row.timeZone,
      offeredUntil: row.offeredUntil,
      reminders: row.unsubscribedAt === null,
      join,
      links: join ? entryLinks(event, join) : null,
      startAt: event.startAt,
      ahead: !event.canceled && (status === 'upcoming' || status === 'pending' || event.type === 'masterclass'),
    }
  })
}

/** Gives a registration up: the seat goes to the next on the list. A second time changes nothing. Refuses with not_found. */
export function cancelOwn(tenantId: string, input: Own, now = new Date()): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const { event, row } = await held(tx, input)
    await cancelRow(tx, event, row, now)
  })
}

/** The same for a row at hand. */
export async function cancelRow(tx: Tx, event: EventRow, row: RegistrationRow, now: Date): Promise<void> {
  if (row.state === 'canceled' || row.state === 'declined') return
  await lockSeats(tx, event)
  const gone = { state: 'canceled' as const, canceledAt: now, offeredUntil: null, updatedAt: now }
  const [canceled] = await tx
    .update(registration)
    .set({ ...gone, icsSequence: row.icsSequence + 1 })
    .where(and(eq(registration.id, row.id), eq(registration.state, row.state)))
    .returning()
  if (!canceled) return
  await writeLetters(tx, event, [canceled], 'canceled', now)
  await offerSeats(tx, event, await capacityOf(tx, event), now)
}

/** Changes what somebody said of themselves. Refuses with not_found, and with invalid as registering does. */
export function editOwn(tenantId: string, input: EditOwn, now = new Date()): Promise<void> {
  const { name, phone, timeZone, answers: given, ...own } = EditOwn.parse(input)
  return inTenant({ tenantId }, async (tx) => {
    const { event, row } = await held(tx, own)
    const { form } = event.settings
    const { answers, fields } = readAnswers(form.questions, given)
    if (form.phone === 'required' && !phone) fields.phone = ['required']
    if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
    const change = { name, phone: phone || null, answers, timeZone: timeZone ?? row.timeZone, updatedAt: now }
    await tx.update(registration).set(change).where(eq(registration.id, row.id))
  })
}

/** Wants reminders or does without; other letters still come. Refuses with not_found. */
export function setReminders(tenantId: string, input: Own & { on: boolean }, now = new Date()): Promise<void> {
  const { on, ...own } = SetReminders.parse(input)
  return inTenant({ tenantId }, async (tx) => {
    const { row } = await mine(tx, own)
    await tx
      .update(registration)
      .set({ unsubscribedAt: on ? null : (row.unsubscribedAt ?? now) })
      .where(eq(registration.id, row.id))
  })
}

/** The same by the link's key alone, for the one click of mail programs. An unknown key changes nothing. */
export function stopReminders(tenantId: string, key: string, now = new Date()): Promise<{ workshopId: string } | null> {
  return inTenant({ tenantId }, async (tx) => {
    const [found] = await tx
      .select({ id: registration.id, workshopId: registration.workshopId, since: registration.unsubscribedAt })
      .from(registration)
      .where(eq(registration.joinDigest, digestOf(key)))
    if (!found) return null
    const unsubscribedAt = found.since ?? now
    await tx.update(registration).set({ unsubscribedAt }).where(eq(registration.id, found.id))
    return { workshopId: found.workshopId }
  })
}

/**
 * Takes the seat that was offered, or one that happens to be free. Refuses with not_found, and with unprocessable when the
 * offer has run out and nothing is free, or the event is over.
 */
export function acceptOffer(tenantId: string, input: Own, now = new Date()): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const { event, row } = await held(tx, input)
    if (row.state === 'confirmed') return
    const over = event.canceled || eventStatus(event, now) === 'finished'
    const seats = await seatsOf(tx, event, await capacityOf(tx, event), now)
    const kept = row.offeredUntil !== null && row.offeredUntil > now
    if (over || row.state !== 'waitlisted' || (!kept && freeSeats(seats) === 0)) {
      throw new Refusal('unprocessable', { fields: { form: ['offer_gone'] } })
    }
    await confirmRows(tx, event, [row.id], now)
  })
}

/** Gives these registrations their seats and tells them. Gives how many. */
export async function confirmRows(tx: Tx, event: EventRow, ids: string[], now: Date): Promise<number> {
  if (ids.length === 0) return 0
  const rows = await tx
    .update(registration)
    .set({ state: 'confirmed', confirmedAt: now, offeredUntil: null, canceledAt: null, updatedAt: now })
    .where(inArray(registration.id, ids))
    .returning()
  await forgetLetters(tx, event, ids, ['canceled', 'declined'])
  await writeLetters(tx, event, rows, 'confirmed', now)
  if (rows.length > 0) await planLetters(tx, event, now)
  return rows.length
}

async function mine(tx: Tx, input: Own) {
  const parsed = Own.safeParse(input)
  if (!parsed.success) throw new Refusal('not_found')
  const { workshopId, key } = parsed.data
  const [row] = await tx
    .select()
    .from(registration)
    .where(and(eq(registration.workshopId, workshopId), eq(registration.joinDigest, digestOf(key))))
  if (!row) throw new Refusal('not_found')
  return { row, key, event: await loadEvent(tx, workshopId, row.sessionId) }
}

/** The same to be changed. Seats are held before the row, as everywhere: the other way round two acts could wait for each other. */
async function held(tx: Tx, input: Own) {
  const { event } = await mine(tx, input)
  await lockSeats(tx, event)
  return mine(tx, input)
}
