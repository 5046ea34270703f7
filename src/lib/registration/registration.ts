import { and, eq } from 'drizzle-orm'
import { digestNetwork } from '#lib/billing/unconfirmed-emails/unconfirmed-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RegistrationState } from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { clipName, fullName } from '#lib/core/shared/text/person-name.ts'
import { canEmail, countSeatOfNetwork, throttleMailbox, throttleNetwork } from './email/limits.ts'
import { scheduleReminders } from './email/schedule-reminders.ts'
import { deleteEmailRecords, type RegistrationRow, recordRefusedEmail, resendEmail, sendEmails } from './email/send.ts'
import { sealEntryPass } from './entry-pass.ts'
import { eventStatus, type RegistrationEvent, registrationSessionId, requireEvent } from './event.ts'
import { confirmAddress, createJoinKey, unsealJoinKey } from './join-key.ts'
import { canRegister, initialState } from './rules.ts'
import { type RegisterForEvent, type RegisterMyself, readRegistrationAnswers } from './schema.ts'
import { countSeats, isOfEvent, lockEventSeats, offerSeats } from './seat.ts'
import { readCapacity, resolveSession } from './session-choice.ts'
import { registration } from './table.ts'

/** Visitor who submits the form. */
export interface RegistrationVisitor {
  tenantId: string
  /** Signed in at this tenant, or null. */
  actor: Actor | null
  locale: Locale
  address: string
}

export interface RegistrationResult {
  /** State of a new registration at this moment. It does not disclose earlier registrations. */
  state: 'pending' | 'confirmed' | 'waitlisted'
  /** Key of the personal link, for a visitor whose sign-in verifies the address; others get it by email only. */
  key: string | null
  /** Entry pass, when the event is live or starts with the visitor; it discloses no more than `state`. */
  pass: string | null
}

/**
 * Registers a person for an event and emails the personal link; a registered person gets the email again. Refuses with
 * not_found, invalid (`fields`, also `answers.<id>`), too_many, and unprocessable when registration is closed:
 * `fields.form` has the reason.
 */
export async function registerForEvent(
  visitor: RegistrationVisitor,
  input: RegisterForEvent,
  now = new Date(),
): Promise<RegistrationResult> {
  const { tenantId, actor, address } = visitor
  await throttleNetwork(address)
  await requireDeliverable(input.email)
  const isUnverified = actor?.email !== input.email
  if (isUnverified) await throttleMailbox(input.email)
  const canSendEmail = await canEmail(input.workshopId, input.email, isUnverified ? { tenantId, address } : null)
  const result = await inTenant({ tenantId }, async (tx) => {
    const { event, questions } = await requireOpenEvent(tx, visitor, input, now)
    const { answers, fields } = readRegistrationAnswers(questions, input.answers)
    if (event.settings.form.phone === 'required' && !input.phone) fields.phone = ['required']
    if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
    await lockEventSeats(tx, event)
    const seats = await readCapacity(tx, event)
    await offerSeats(tx, event, seats, now)
    const state = initialState(event.settings.form, await countSeats(tx, event, seats, now))
    const [existing] = await tx
      .select()
      .from(registration)
      .where(and(isOfEvent(event), eq(registration.email, input.email)))
    const isVerified = actor?.email === input.email
    if (seats !== null && isUnverified && !existing && state === 'confirmed')
      await countSeatOfNetwork(tx, { workshopId: event.id, capacity: seats, address })
    const details = {
      name: input.name,
      phone: input.phone || null,
      answers,
      locale: visitor.locale,
      timeZone: input.timeZone ?? event.timeZone,
      memberId: isVerified ? actor.membershipId : null,
      addressConfirmedAt: isVerified ? now : null,
      networkDigest: isVerified ? null : digestNetwork(address),
    }
    const row = existing
      ? await renewRegistration(tx, event, existing, { state, details, isVerified, canSendEmail }, now)
      : state && (await insertRegistration(tx, event, { ...input, details, state, canSendEmail }, now))
    if (row) await scheduleReminders(tx, event, now)
    const key = row && isVerified && row.state !== 'declined' ? unsealJoinKey(row) : null
    const canEnter = row && state === 'confirmed' && canEnterNow(event, now)
    const pass = {
      workshopId: event.id,
      registrationId: row?.id ?? '',
      name: input.name,
      fresh: !existing || isVerified,
    }
    return { state, key, pass: canEnter ? sealEntryPass(pass, now) : null }
  })
  if (!result.state) throw formRefusal('registration_full')
  return { ...result, state: result.state }
}

/** The same for a signed-in member, with one button: name and email are known. */
export function registerActor(
  visitor: RegistrationVisitor & { actor: Actor },
  input: RegisterMyself,
  now = new Date(),
) {
  const { email, timeZone } = visitor.actor
  const person = { email, name: fullName(visitor.actor) || clipName(email), phone: '', marketing: false }
  return registerForEvent(visitor, { ...input, ...person, timeZone: input.timeZone ?? timeZone }, now)
}

// An on-demand session starts with its viewer; a masterclass has its own page.
function canEnterNow({ type, startAt, startedAt }: RegistrationEvent, now: Date): boolean {
  if (type === 'masterclass') return false
  // The host may start before the announced time.
  if (startedAt) return true
  return startAt ? startAt <= now : type === 'autoWebinar'
}

const REFUSAL_ERRORS: Record<string, string> = {
  canceled: 'registration_canceled',
  finished: 'registration_finished',
  expired: 'registration_expired',
  students_only: 'registration_students_only',
  paid: 'registration_paid',
}

/** Emails that are sent again after a renewed registration. */
const ACTION_KINDS = ['confirmed', 'pending', 'waitlisted', 'offer', 'canceled', 'declined'] as const

type State = Extract<RegistrationState, 'pending' | 'confirmed' | 'waitlisted'>
type RegistrantDetails = Pick<
  RegistrationRow,
  'name' | 'phone' | 'answers' | 'locale' | 'timeZone' | 'memberId' | 'addressConfirmedAt' | 'networkDigest'
>

async function requireOpenEvent(
  tx: Tx,
  { actor, tenantId }: RegistrationVisitor,
  input: ReturnType<typeof RegisterForEvent.parse>,
  now: Date,
) {
  const sessionId = await resolveSession(tx, input, now)
  const event = await requireEvent(tx, input.workshopId, sessionId)
  const isAlwaysOpen = event.type !== 'webinar'
  const isMember = actor?.tenantId === tenantId
  const verdict = canRegister({ ...event, status: eventStatus(event, now), isAlwaysOpen }, { isMember })
  if (verdict.reason === 'draft') throw new Refusal('not_found')
  if (!verdict.allow) throw formRefusal(REFUSAL_ERRORS[verdict.reason] ?? 'registration_full')
  return { event, questions: event.settings.form.questions }
}

async function insertRegistration(
  tx: Tx,
  event: RegistrationEvent,
  input: {
    email: string
    details: RegistrantDetails
    state: State
    marketing: boolean
    source?: Record<string, string> | undefined
    canSendEmail: boolean
  },
  now: Date,
): Promise<RegistrationRow> {
  const { key: _, ...link } = createJoinKey()
  const [row] = await tx
    .insert(registration)
    .values({
      ...input.details,
      ...link,
      tenantId: event.tenantId,
      id: newId(),
      workshopId: event.id,
      sessionId: registrationSessionId(event),
      email: input.email,
      state: input.state,
      source: input.source ?? {},
      consentMarketingAt: input.marketing ? now : null,
      confirmedAt: input.state === 'confirmed' ? now : null,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!row) throw new Error('a registration was not kept')
  if (input.canSendEmail) await sendEmails(tx, event, [row], input.state, now)
  else await recordRefusedEmail(tx, event, row.id, input.state, now)
  return row
}

interface ReturningRegistrant {
  state: State | null
  details: RegistrantDetails
  isVerified: boolean
  canSendEmail: boolean
}

// A visitor can enter any address: a registration is changed only through its link or account.
async function renewRegistration(
  tx: Tx,
  event: RegistrationEvent,
  existing: RegistrationRow,
  { state, details, isVerified, canSendEmail }: ReturningRegistrant,
  now: Date,
): Promise<RegistrationRow | null> {
  if (existing.state === 'declined') return existing
  if (existing.state !== 'canceled') {
    if (canSendEmail) await resendEmail(tx, event, existing, existing.state, now)
    if (!isVerified) return existing
    await confirmAddress(tx, existing, now)
    if (existing.memberId) return existing
    await tx.update(registration).set({ memberId: details.memberId }).where(eq(registration.id, existing.id))
    return existing
  }
  if (!state) return null
  const [row] = await tx
    .update(registration)
    .set({
      ...details,
      state,
      createdAt: now,
      updatedAt: now,
      canceledAt: null,
      offeredUntil: null,
      icsSequence: existing.icsSequence + 1,
      confirmedAt: state === 'confirmed' ? now : null,
    })
    .where(eq(registration.id, existing.id))
    .returning()
  if (!row) return null
  await deleteEmailRecords(tx, event, [row.id], [...ACTION_KINDS])
  if (canSendEmail) await sendEmails(tx, event, [row], state, now)
  else await recordRefusedEmail(tx, event, row.id, state, now)
  return row
}
