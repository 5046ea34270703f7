import { and, eq, inArray } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { RegistrationState } from '#lib/core/shared/event/live-event.ts'
import { type CalendarLinks, calendarLinks } from './calendar.ts'
import { scheduleReminders } from './email/schedule-reminders.ts'
import { deleteEmailRecords, type RegistrationRow, type SendOptions, sendEmails } from './email/send.ts'
import { eventStatus, type RegistrationEvent, requireEvent } from './event.ts'
import { confirmAddress, digestKey } from './join-key.ts'
import { joinUrl } from './links.ts'
import { freeSeats } from './rules.ts'
import {
  type EditOwnRegistration,
  type FormAnswers,
  type OwnRegistrationInput,
  readRegistrationAnswers,
} from './schema.ts'
import { countSeats, lockEventSeats, offerSeats } from './seat.ts'
import { readCapacity } from './session-choice.ts'
import { registration } from './table.ts'

/** A registration for the holder of its link. */
export interface OwnRegistrationView {
  state: RegistrationState
  name: string
  email: string
  phone: string
  answers: FormAnswers
  timeZone: string
  /** End of a seat offer; in the past when it has expired. */
  offeredUntil: Date | null
  reminders: boolean
  /** URL of the personal link, while it is valid for entering. */
  joinUrl: string | null
  links: CalendarLinks | null
  /** Start of the session. */
  startAt: Date | null
  /** Whether it can still be canceled. */
  canCancel: boolean
}

/** The registration of a personal link. Refuses with not_found. */
export function readOwnRegistration(
  tenantId: string,
  input: OwnRegistrationInput,
  now = new Date(),
): Promise<OwnRegistrationView> {
  return inTenant({ tenantId }, async (tx) => {
    const { event, row, key } = await findOwn(tx, input)
    await confirmAddress(tx, row, now)
    const join = row.state === 'confirmed' && !event.isCanceled ? joinUrl(event, key) : null
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
      joinUrl: join,
      links: join ? calendarLinks(event, join) : null,
      startAt: event.startAt,
      canCancel: !event.isCanceled && (status === 'upcoming' || status === 'pending' || event.type === 'masterclass'),
    }
  })
}

/** Cancels a registration: the seat is offered to the next on the waiting list. Idempotent. Refuses with not_found. */
export function cancelOwnRegistration(tenantId: string, input: OwnRegistrationInput, now = new Date()): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const { event, row } = await lockOwn(tx, input)
    await cancelRegistration(tx, event, row, now)
  })
}

/** The same for a known row. */
export async function cancelRegistration(
  tx: Tx,
  event: RegistrationEvent,
  row: RegistrationRow,
  now: Date,
  options: Pick<SendOptions, 'isFollowUp'> = {},
): Promise<void> {
  if (row.state === 'canceled' || row.state === 'declined') return
  await lockEventSeats(tx, event)
  const gone = { state: 'canceled' as const, canceledAt: now, offeredUntil: null, updatedAt: now }
  const [canceled] = await tx
    .update(registration)
    .set({ ...gone, icsSequence: row.icsSequence + 1 })
    .where(and(eq(registration.id, row.id), eq(registration.state, row.state)))
    .returning()
  if (!canceled) return
  await sendEmails(tx, event, [canceled], 'canceled', now, options)
  await offerSeats(tx, event, await readCapacity(tx, event), now)
}

/** Saves changed answers of a registrant. Refuses with not_found, and invalid like registering. */
export function editOwnRegistration(tenantId: string, input: EditOwnRegistration, now = new Date()): Promise<void> {
  const { name, phone, timeZone, answers: given, ...own } = input
  return inTenant({ tenantId }, async (tx) => {
    const { event, row } = await lockOwn(tx, own)
    const { form } = event.settings
    const { answers, fields } = readRegistrationAnswers(form.questions, given)
    if (form.phone === 'required' && !phone) fields.phone = ['required']
    if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
    const change = { name, phone: phone || null, answers, timeZone: timeZone ?? row.timeZone, updatedAt: now }
    await tx.update(registration).set(change).where(eq(registration.id, row.id))
  })
}

/** Turns reminders on or off; other emails are still sent. Refuses with not_found. */
export function setReminders(
  tenantId: string,
  input: OwnRegistrationInput & { on: boolean },
  now = new Date(),
): Promise<void> {
  const { on, ...own } = input
  return inTenant({ tenantId }, async (tx) => {
    const { row } = await findOwn(tx, own)
    await tx
      .update(registration)
      .set({ unsubscribedAt: on ? null : (row.unsubscribedAt ?? now) })
      .where(eq(registration.id, row.id))
  })
}

/**
 * Turns reminders off by the key alone, for one-click unsubscription of email clients. An unknown key changes nothing.
 */
export function stopReminders(tenantId: string, key: string, now = new Date()): Promise<{ workshopId: string } | null> {
  return inTenant({ tenantId }, async (tx) => {
    const [row] = await tx
      .select({ id: registration.id, workshopId: registration.workshopId, since: registration.unsubscribedAt })
      .from(registration)
      .where(eq(registration.joinDigest, digestKey(key)))
    if (!row) return null
    const unsubscribedAt = row.since ?? now
    await tx.update(registration).set({ unsubscribedAt }).where(eq(registration.id, row.id))
    return { workshopId: row.workshopId }
  })
}

/**
 * Accepts an offered seat, or a free one. Refuses with not_found, and unprocessable when the offer has expired and no
 * seat is free, or the event is over.
 */
export function acceptOffer(tenantId: string, input: OwnRegistrationInput, now = new Date()): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const { event, row } = await lockOwn(tx, input)
    if (row.state === 'confirmed') return
    const isOver = event.isCanceled || eventStatus(event, now) === 'finished'
    const seats = await countSeats(tx, event, await readCapacity(tx, event), now)
    const hasOffer = row.offeredUntil !== null && row.offeredUntil > now
    if (isOver || row.state !== 'waitlisted' || (!hasOffer && freeSeats(seats) === 0)) {
      throw formRefusal('offer_gone')
    }
    await confirmRegistrations(tx, event, [row.id], now)
  })
}

/** Confirms registrations and emails the registrants. Returns how many. */
export async function confirmRegistrations(
  tx: Tx,
  event: RegistrationEvent,
  ids: string[],
  now: Date,
  options: Pick<SendOptions, 'isFollowUp'> = {},
): Promise<number> {
  if (ids.length === 0) return 0
  const rows = await tx
    .update(registration)
    .set({ state: 'confirmed', confirmedAt: now, offeredUntil: null, canceledAt: null, updatedAt: now })
    .where(inArray(registration.id, ids))
    .returning()
  await deleteEmailRecords(tx, event, ids, ['canceled', 'declined'])
  await sendEmails(tx, event, rows, 'confirmed', now, options)
  if (rows.length > 0) await scheduleReminders(tx, event, now)
  return rows.length
}

async function findOwn(tx: Tx, input: OwnRegistrationInput) {
  const { workshopId, key } = input
  const [row] = await tx
    .select()
    .from(registration)
    .where(and(eq(registration.workshopId, workshopId), eq(registration.joinDigest, digestKey(key))))
  if (!row) throw new Refusal('not_found')
  return { row, key, event: await requireEvent(tx, workshopId, row.sessionId) }
}

/** The same for a change. Seats are locked before the row, as everywhere: the reverse order could deadlock. */
async function lockOwn(tx: Tx, input: OwnRegistrationInput) {
  const { event } = await findOwn(tx, input)
  await lockEventSeats(tx, event)
  const own = await findOwn(tx, input)
  await confirmAddress(tx, own.row)
  return own
}
