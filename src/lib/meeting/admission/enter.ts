import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { showingToEnter } from '#lib/autowebinar/showing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ParticipantKind, RoomRole } from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { fullName, GivenName } from '#lib/core/shared/text/person-name.ts'
import { isZone } from '#lib/core/shared/zone.ts'
import type { EntryRegistration } from '#lib/registration/pass.ts'
import { rolesAt } from '#lib/workshop/permission.ts'
import { roomRoleOf, statusOf } from '#lib/workshop/rules.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { findParticipant, type NewParticipant } from '#lib/workshop/session/participant.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { type Arrival, comeIn } from '../admission-batch.ts'
import { headOf, loadWorkshop, type Workshop } from '../head.ts'
import { viewFor } from '../meeting.ts'
import type { MeetingHead, MeetingView } from '../room-schema.ts'
import { enterRegistered, isOf, registrationOf } from './entry-registration.ts'
import { lockRoom, takeSeat } from './queue.ts'
import { EARLY_MS, judgeEntry } from './rules.ts'
import { findSitting, readSeat, type Sitting, signSeat } from './seat.ts'

export interface EnterInput {
  workshopId: string
  /** Of a personal link. */
  key?: string | null
  /** Of the page that has just registered them. */
  pass?: string | null
  /** A rehearsal or a certain showing; staff alone may name a rehearsal. */
  sessionId?: string | null
  /** A ticket of the same event: whoever has it comes back as who they were, e.g. out of the queue. */
  seat?: string | null
  actor: Actor | null
  /** The cookie of the browser; see `device` of the answer. */
  device?: string | null
  /** What a guest wants to be called. */
  name?: string | null
  locale: Locale
  /** Of the browser, where it is known. */
  timeZone?: string | null
}

/** `device` belongs into a cookie of the browser for a year: it remembers guests, and who was shown the door. */
export type Entered = MeetingView & { device: string }

export const GuestName = z.object({ name: GivenName })

/**
 * Somebody at the door of an event: what they find there, and a seat where they may come in. Safe to repeat. Refuses with
 * not_found: no such event, a draft for who is not of its staff, no such session; invalid for a name that is none.
 */
export async function enterMeeting(tenantId: string, input: EnterInput, now = new Date()): Promise<Entered> {
  if (!z.uuid().safeParse(input.workshopId).success) throw new Refusal('not_found')
  const device = input.device && DEVICE.test(input.device) ? input.device : randomBytes(18).toString('base64url')
  const actor = input.actor?.tenantId === tenantId ? input.actor : null
  const asked = { ...input, tenantId, actor, name: nameOf(input.name), device }
  const found = await inTenant({ tenantId }, (tx) => open(tx, asked, now))
  if (found.kind !== 'welcome') return { ...found, device }
  const arrival = found.person ? await comeIn(found.person, now) : await comeBack(found.known, now)
  return { ...(await receive(asked, found, arrival, now)), device }
}

/** Who may come in: somebody to be given a row of the session, or whose ticket names theirs. */
type Welcome = { kind: 'welcome'; workshop: MeetingHead; event: Workshop; staff: RoomRole | null } & (
  | { person: NewParticipant; known?: never }
  | { person?: never; known: Sitting }
)

const DEVICE = /^[\w-]{20,40}$/

interface Asked extends EnterInput {
  tenantId: string
  name: string | null
  device: string
}

function nameOf(given: string | null | undefined): string | null {
  if (given == null) return null
  const name = GuestName.safeParse({ name: given })
  if (!name.success) throw new Refusal('invalid', { fields: { name: ['required'] } })
  return name.data.name
}

async function open(tx: Tx, asked: Asked, now: Date): Promise<MeetingView | Welcome> {
  const { actor } = asked
  const event = await loadWorkshop(tx, asked.workshopId)
  const known = await knownSitting(asked)
  if (known && !actor) {
    const { session } = known
    const workshop = await headOf(tx, event, session.startAt ?? event.startAt)
    if (event.canceledAt || session.canceledAt) return { kind: 'canceled', workshop }
    return { kind: 'welcome', workshop, event, known, staff: null }
  }
  const staff = await staffRole(tx, event, actor)
  if (!staff && (event.publication === 'draft' || event.archivedAt)) throw new Refusal('not_found')
  const found = await registrationOf(tx, event.id, asked, now)
  const registered = event.canceledAt ? null : await enterRegistered(tx, found, { actor, staff }, now)
  const session = await sessionFor(tx, event, asked, { staff, sessionId: registered }, now)
  const workshop = await headOf(tx, event, session?.startAt ?? event.startAt)
  if (event.canceledAt || session?.canceledAt) return { kind: 'canceled', workshop }
  const guest = session && found?.state !== 'confirmed' ? await findGuest(tx, session.id, asked) : null
  const name = asked.name ?? guest?.name ?? null
  const student = actor?.accountType === 'ACCOUNT_TYPE_STUDENT'
  const entry = judgeEntry(event.access, { staff, student, registration: found?.state ?? null, named: name !== null })
  const late = session?.kind === 'live' && statusOf({ ...event, ...session }, now) === 'expired'
  if (entry === 'name' && !late) return { kind: 'name', workshop, over: Boolean(session?.finishedAt) }
  if (entry === 'login' || entry === 'register') return { kind: entry, workshop }
  if (!session || (late && !staff)) return { kind: 'expired', workshop }
  const person = comerOf(event, session.id, asked, { staff, found, name })
  return { kind: 'welcome', workshop, event, person, staff }
}

/** Somebody with a ticket: a seat, or a place in the queue, unless the session is over. */
function comeBack(sitting: Sitting, now: Date): Promise<Arrival> {
  return inTenant(sitting, async (tx) => {
    if (sitting.session.finishedAt) return { sitting, queued: null }
    await lockRoom(tx, sitting)
    return { sitting, queued: await takeSeat(tx, sitting, sitting.role, now) }
  })
}

async function receive(
  asked: Asked,
  { workshop, event, staff }: Welcome,
  arrival: Arrival,
  now: Date,
): Promise<MeetingView> {
  if (!arrival) return { kind: 'banned', workshop }
  const { sitting, queued } = arrival
  const { session } = sitting
  if (session.canceledAt) return { kind: 'canceled', workshop }
  if (session.finishedAt) return { kind: 'finished', workshop, ticket: signSeat(sitting, now) }
  if (queued) return { kind: 'limit', workshop, ticket: signSeat(sitting, now), ...queued }
  // Not under the lock that gave the seat: a thousand come at once.
  const room = await inTenant(sitting, (tx) =>
    viewFor(tx, sitting, event, { viewer: asked.actor?.viewer, head: workshop }),
  )
  if (room.auto?.phase === 'over' || room.state.phase === 'finished')
    return { kind: 'finished', workshop, ticket: room.ticket }
  const { phase } = room.auto?.state ?? room.state
  const open = phase === 'live' || isEarly(staff, session.startAt, now)
  return { kind: open ? 'room' : 'waiting', workshop, room }
}

/** Whom a ticket names who is of this very event; null for no good ticket. */
async function knownSitting({ tenantId, workshopId, seat }: Asked): Promise<Sitting | null> {
  const named = seat ? readSeat(seat) : null
  if (named?.tenantId !== tenantId) return null
  const found = await findSitting(named)
  return found?.workshopId === workshopId && !found.bannedAt && found.role === 'viewer' ? found : null
}

// Who prepares an event comes in a day before it; everybody else waits.
function isEarly(staff: RoomRole | null, startAt: Date | null, now: Date): boolean {
  return staff !== null && staff !== 'viewer' && (!startAt || startAt.getTime() - now.getTime() <= EARLY_MS)
}

async function staffRole(tx: Tx, event: Workshop, actor: Actor | null): Promise<RoomRole | null> {
  if (!actor || actor.accountType === 'ACCOUNT_TYPE_STUDENT') return null
  return roomRoleOf(actor, await rolesAt(tx, actor, event.id))
}

async function sessionFor(
  tx: Tx,
  event: Workshop,
  asked: Asked,
  { staff, sessionId: registered }: { staff: RoomRole | null; sessionId: string | null },
  now: Date,
) {
  const { sessionId, timeZone, actor, name } = asked
  if (event.type === 'masterclass') throw new Refusal('not_found')
  const sessions = tx.select().from(workshopSession)
  const ofEvent = eq(workshopSession.workshopId, event.id)
  if (sessionId) {
    const [named] = z.uuid().safeParse(sessionId).success
      ? await sessions.where(and(ofEvent, eq(workshopSession.id, sessionId)))
      : []
    if (!named || (named.kind === 'rehearsal' && (!staff || staff === 'viewer'))) throw new Refusal('not_found')
    return named
  }
  if (event.type === 'webinar') {
    const [live] = await sessions.where(and(ofEvent, eq(workshopSession.kind, 'live')))
    if (!live) throw new Refusal('not_found')
    return live
  }
  const viewerZone = timeZone && isZone(timeZone) ? timeZone : event.timeZone
  const begun = registered ?? (await ownShowing(tx, event.id, asked))
  // Nobody in particular begins no showing of their own: a name comes first.
  if (!begun && !actor && !name) return null
  const showing = begun ?? (await showingToEnter(tx, event.id, { viewerZone }, now))?.sessionId
  if (!showing) return null
  const [shown] = await sessions.where(and(ofEvent, eq(workshopSession.id, showing)))
  return shown ?? null
}

/** The showing that somebody without a registration is in already: on demand everybody has one of their own. */
async function ownShowing(tx: Tx, workshopId: string, { actor, device }: Asked): Promise<string | null> {
  const { memberId, kind, device: of } = workshopParticipant
  const mine = actor ? eq(memberId, actor.membershipId) : and(eq(of, digest(device)), eq(kind, 'guest'))
  const [found] = await tx
    .select({ id: workshopSession.id })
    .from(workshopParticipant)
    .innerJoin(workshopSession, eq(workshopSession.id, workshopParticipant.sessionId))
    .where(
      and(
        eq(workshopParticipant.workshopId, workshopId),
        eq(workshopSession.kind, 'auto'),
        isNull(workshopSession.finishedAt),
        isNull(workshopSession.canceledAt),
        mine,
      ),
    )
    .orderBy(desc(workshopSession.startAt))
    .limit(1)
  return found?.id ?? null
}

const digest = (device: string): string => createHash('sha256').update(device).digest('base64url')

async function findGuest(tx: Tx, sessionId: string, { actor, device }: Asked): Promise<{ name: string } | null> {
  if (actor) return null
  const id = await findParticipant(tx, sessionId, { memberId: null, registrationId: null, device: digest(device) })
  if (!id) return null
  const { name } = workshopParticipant
  const [guest] = await tx.select({ name }).from(workshopParticipant).where(eq(workshopParticipant.id, id))
  return guest ?? null
}

interface Comer {
  staff: RoomRole | null
  found: EntryRegistration | null
  name: string | null
}

function comerOf(event: Workshop, sessionId: string, asked: Asked, { staff, found, name }: Comer): NewParticipant {
  const { tenantId, actor } = asked
  const known = found?.state === 'confirmed' ? found : null
  // Whoever is signed in stays themselves behind the personal link of somebody else.
  const own = known && (actor === null || isOf(known, actor)) && !staff ? known : null
  const zone = asked.timeZone && isZone(asked.timeZone) ? asked.timeZone : null
  return {
    tenantId,
    sessionId,
    workshopId: event.id,
    role: staff ?? 'viewer',
    device: digest(asked.device),
    kind: kindOf(staff, actor, known?.id != null),
    memberId: actor?.membershipId ?? null,
    registrationId: own?.id ?? null,
    name: (actor && nameOfActor(actor)) || known?.name || name || '',
    email: actor?.email ?? known?.email ?? null,
    locale: actor?.locale ?? known?.locale ?? asked.locale,
    timeZone: actor?.timeZone ?? zone ?? known?.timeZone ?? event.timeZone,
  }
}

function kindOf(staff: RoomRole | null, actor: Actor | null, registered: boolean): ParticipantKind {
  if (staff) return 'staff'
  if (actor) return 'student'
  return registered ? 'registrant' : 'guest'
}

const nameOfActor = (actor: Actor): string => fullName(actor) || (actor.email.split('@')[0] ?? '')
