import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { mustReach } from '#lib/core/mail/reach.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RegistrationState } from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { clipName, fullName } from '#lib/core/shared/text/person-name.ts'
import { limitMailbox, limitNetwork, mayWriteTo } from './email/limits.ts'
import { planLetters } from './email/plan.ts'
import { forgetLetters, type RegistrationRow, writeAgain, writeLetters } from './email/send.ts'
import { type EventRow, eventStatus, loadEvent, sessionKey } from './event.ts'
import { joinKeyOf, newJoinKey } from './key.ts'
import { signPass } from './pass.ts'
import { canRegister, firstState } from './rules.ts'
import { Register, type RegisterMyself, readAnswers } from './schema.ts'
import { lockSeats, ofEvent, offerSeats, seatsOf } from './seat.ts'
import { capacityOf, showingFor } from './showing.ts'
import { registration } from './table.ts'

/** Who fills the form in, and where. */
export interface Visitor {
  tenantId: string
  /** Signed in at this school, or null. */
  actor: Actor | null
  locale: Locale
  address: string
}

export interface Registered {
  /** What a newcomer gets at this moment. It says nothing about who was registered before. */
  state: 'pending' | 'confirmed' | 'waitlisted'
  /** The personal link's key, for whoever has proved by signing in that the address is theirs; otherwise by mail only. */
  key: string | null
  /** Lets them enter from this page when the event runs or begins with them; it tells no more than `state`. */
  pass: string | null
}

/**
 * Registers somebody for an event and mails them their link; whoever is registered already gets the letter again.
 * Refuses with not_found, invalid (`fields`, also `answers.<id>`), too_many, and with unprocessable when the event takes
 * nobody (any more): `fields.form` says why.
 */
export async function register(visitor: Visitor, input: Register, now = new Date()): Promise<Registered> {
  const { tenantId, actor, address } = visitor
  const asked = Register.parse(input)
  await limitNetwork(address)
  await mustReach(asked.email)
  if (actor?.email !== asked.email) await limitMailbox(asked.email)
  const mayWrite = await mayWriteTo(asked.workshopId, asked.email)
  const result = await inTenant({ tenantId }, async (tx) => {
    const { event, questions } = await openEvent(tx, visitor, asked, now)
    const { answers, fields } = readAnswers(questions, asked.answers)
    if (event.settings.form.phone === 'required' && !asked.phone) fields.phone = ['required']
    if (Object.keys(fields).length > 0) throw new Refusal('invalid', { fields })
    await lockSeats(tx, event)
    const seats = await capacityOf(tx, event)
    await offerSeats(tx, event, seats, now)
    const state = firstState(event.settings.form, await seatsOf(tx, event, seats, now))
    const [known] = await tx
      .select()
      .from(registration)
      .where(and(ofEvent(event), eq(registration.email, asked.email)))
    const verified = actor?.email === asked.email
    const about = {
      name: asked.name,
      phone: asked.phone || null,
      answers,
      locale: visitor.locale,
      timeZone: asked.timeZone ?? event.timeZone,
      memberId: verified ? actor.membershipId : null,
    }
    const row = known
      ? await comeBack(tx, event, known, { state, about, verified, mayWrite }, now)
      : state && (await comeNew(tx, event, { ...asked, about, state }, now))
    if (row) await planLetters(tx, event, now)
    const key = row && verified && row.state !== 'declined' ? joinKeyOf(row) : null
    const enters = row && state === 'confirmed' && isOpen(event, now)
    const pass = { workshopId: event.id, registrationId: row?.id ?? '', name: asked.name, fresh: !known || verified }
    return { state, key, pass: enters ? signPass(pass, now) : null }
  })
  if (!result.state) throw new Refusal('unprocessable', { fields: { form: ['registration_full'] } })
  return { ...result, state: result.state }
}

/** The same for somebody signed in at the school, by one button: name and address are known. */
export function registerMyself(visitor: Visitor & { actor: Actor }, input: RegisterMyself, now = new Date()) {
  const { email, timeZone } = visitor.actor
  return register(visitor, { timeZone, ...input, email, name: fullName(visitor.actor) || clipName(email) }, now)
}

// A showing on demand begins with its viewer; a masterclass has a page of its own.
function isOpen({ type, startAt }: EventRow, now: Date): boolean {
  if (type === 'masterclass') return false
  return startAt ? startAt <= now : type === 'autoWebinar'
}

const WHY_NOT: Record<string, string> = {
  canceled: 'registration_canceled',
  finished: 'registration_finished',
  expired: 'registration_expired',
  students_only: 'registration_students_only',
  paid: 'registration_paid',
}

/** Letters that somebody who begins anew is to get anew. */
const OF_ACTS = ['confirmed', 'pending', 'waitlisted', 'offer', 'canceled', 'declined'] as const

type State = Extract<RegistrationState, 'pending' | 'confirmed' | 'waitlisted'>
type About = Pick<RegistrationRow, 'name' | 'phone' | 'answers' | 'locale' | 'timeZone' | 'memberId'>

async function openEvent(tx: Tx, { actor, tenantId }: Visitor, asked: ReturnType<typeof Register.parse>, now: Date) {
  const sessionId = await showingFor(tx, asked, now)
  const event = await loadEvent(tx, asked.workshopId, sessionId)
  const standing = event.type !== 'webinar'
  const ours = actor?.tenantId === tenantId
  const may = canRegister({ ...event, status: eventStatus(event, now), standing }, { ours })
  if (may.because === 'draft') throw new Refusal('not_found')
  if (!may.allow)
    throw new Refusal('unprocessable', { fields: { form: [WHY_NOT[may.because] ?? 'registration_full'] } })
  return { event, questions: event.settings.form.questions }
}

async function comeNew(
  tx: Tx,
  event: EventRow,
  asked: { email: string; about: About; state: State; marketing: boolean; source?: Record<string, string> | undefined },
  now: Date,
): Promise<RegistrationRow> {
  const { key: _, ...link } = newJoinKey()
  const [row] = await tx
    .insert(registration)
    .values({
      ...asked.about,
      ...link,
      tenantId: event.tenantId,
      id: newId(),
      workshopId: event.id,
      sessionId: sessionKey(event),
      email: asked.email,
      state: asked.state,
      source: asked.source ?? {},
      consentMarketingAt: asked.marketing ? now : null,
      confirmedAt: asked.state === 'confirmed' ? now : null,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!row) throw new Error('a registration was not kept')
  await writeLetters(tx, event, [row], asked.state, now)
  return row
}

interface Return {
  state: State | null
  about: About
  verified: boolean
  mayWrite: boolean
}

// Somebody may type another's address: what is known of a registration is changed only by whoever has its link or account.
async function comeBack(
  tx: Tx,
  event: EventRow,
  known: RegistrationRow,
  { state, about, verified, mayWrite }: Return,
  now: Date,
): Promise<RegistrationRow | null> {
  if (known.state === 'declined') return known
  if (known.state !== 'canceled') {
    if (mayWrite) await writeAgain(tx, event, known, known.state, now)
    if (!verified || known.memberId) return known
    await tx.update(registration).set({ memberId: about.memberId }).where(eq(registration.id, known.id))
    return known
  }
  if (!state) return null
  const [row] = await tx
    .update(registration)
    .set({
      ...about,
      state,
      createdAt: now,
      updatedAt: now,
      canceledAt: null,
      offeredUntil: null,
      icsSequence: known.icsSequence + 1,
      confirmedAt: state === 'confirmed' ? now : null,
    })
    .where(eq(registration.id, known.id))
    .returning()
  if (!row) return null
  await forgetLetters(tx, event, [row.id], [...OF_ACTS])
  if (mayWrite) await writeLetters(tx, event, [row], state, now)
  return row
}
