import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { findSessionToEnter } from '#lib/autowebinar/auto-session.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ParticipantKind, RoomRole } from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { fullName, RequiredPersonName } from '#lib/core/shared/text/person-name.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import type { EntryRegistration } from '#lib/registration/entry-pass.ts'
import { findEventRoles } from '#lib/workshop/permission.ts'
import { roomRoleOf, sessionStatusOf } from '#lib/workshop/rules.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { findParticipant, type NewParticipant } from '#lib/workshop/session/participant.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { admitParticipant, type RoomAdmission } from '../admission-batch.ts'
import { buildRoomView } from '../meeting.ts'
import { type EventRow, readEvent, readMeetingSummary } from '../meeting-summary.ts'
import type { MeetingSummary, MeetingView } from '../room-schema.ts'
import { belongsToActor, enterRegisteredSession, findEntryRegistration } from './entry-registration.ts'
import { lockRoomRow, takeSeat } from './queue.ts'
import { decideEntry, STAFF_ENTRY_MS } from './rules.ts'
import { findRoomParticipant, type RoomParticipant, readSeatToken, signSeatToken } from './seat.ts'

export interface EnterInput {
  workshopId: string
  /** Key of a personal link. */
  key?: string | null
  /** Entry pass of the registration page. */
  pass?: string | null
  /** A rehearsal or a certain event session; only staff may name a rehearsal. */
  sessionId?: string | null
  /** Seat token of the same event: its holder returns as the same participant, for example from the waiting queue. */
  seatToken?: string | null
  actor: Actor | null
  /** Cookie of the browser; see `device` of the result. */
  device?: string | null
  /** Display name of a guest. */
  name?: string | null
  locale: Locale
  /** IANA time zone of the browser, if known. */
  timeZone?: string | null
}

/** `device` is stored in a cookie of the browser for a year: it recognizes guests and bans. */
export type EnterResult = MeetingView & { device: string }

export const GuestName = z.object({ name: RequiredPersonName })

/**
 * Admits a visitor to an event, or returns the step that the visitor has to do first. Idempotent. Refuses with
 * not_found (no such event or session, or a draft for a visitor who is not on its staff) and invalid (name).
 */
export async function enterMeeting(tenantId: string, input: EnterInput, now = new Date()): Promise<EnterResult> {
  if (!z.uuid().safeParse(input.workshopId).success) throw new Refusal('not_found')
  const device =
    input.device && DEVICE_PATTERN.test(input.device) ? input.device : randomBytes(18).toString('base64url')
  const actor = input.actor?.tenantId === tenantId ? input.actor : null
  const request = { ...input, tenantId, actor, name: parseGuestName(input.name), device }
  const entry = await inTenant({ tenantId }, (tx) => checkEntry(tx, request, now))
  if (entry.kind !== 'allowed') return { ...entry, device }
  const admission = entry.newParticipant
    ? await admitParticipant(entry.newParticipant, now)
    : await readmit(entry.known, now)
  return { ...(await buildMeetingView(request, entry, admission, now)), device }
}

/** A visitor who may enter: a new participant, or one known by the seat token. */
type AllowedEntry = { kind: 'allowed'; workshop: MeetingSummary; event: EventRow; staff: RoomRole | null } & (
  | { newParticipant: NewParticipant; known?: never }
  | { newParticipant?: never; known: RoomParticipant }
)

const DEVICE_PATTERN = /^[\w-]{20,40}$/

interface EntryRequest extends EnterInput {
  tenantId: string
  name: string | null
  device: string
}

function parseGuestName(given: string | null | undefined): string | null {
  if (given == null) return null
  const name = GuestName.safeParse({ name: given })
  if (!name.success) throw new Refusal('invalid', { fields: { name: ['required'] } })
  return name.data.name
}

async function checkEntry(tx: Tx, request: EntryRequest, now: Date): Promise<MeetingView | AllowedEntry> {
  const { actor } = request
  const event = await readEvent(tx, request.workshopId)
  const known = await findBySeatToken(request)
  if (known && !actor) {
    const { session } = known
    const workshop = await readMeetingSummary(tx, event, session.startAt ?? event.startAt)
    if (event.canceledAt || session.canceledAt) return { kind: 'canceled', workshop }
    return { kind: 'allowed', workshop, event, known: known, staff: null }
  }
  const staff = await findStaffRole(tx, event, actor)
  if (!staff && (event.publication === 'draft' || event.archivedAt)) throw new Refusal('not_found')
  const registration = await findEntryRegistration(tx, event.id, request, now)
  const registered = event.canceledAt ? null : await enterRegisteredSession(tx, registration, { actor, staff }, now)
  const session = await findSession(tx, event, request, { staff, sessionId: registered }, now)
  const workshop = await readMeetingSummary(tx, event, session?.startAt ?? event.startAt)
  if (event.canceledAt || session?.canceledAt) return { kind: 'canceled', workshop }
  const guest = session && registration?.state !== 'confirmed' ? await findGuest(tx, session.id, request) : null
  const name = request.name ?? guest?.name ?? null
  const student = actor?.accountType === 'ACCOUNT_TYPE_STUDENT'
  const entry = decideEntry(event.access, {
    staff,
    isStudent: student,
    registration: registration?.state ?? null,
    hasName: name !== null,
  })
  const late = session?.kind === 'live' && sessionStatusOf({ ...event, ...session }, now) === 'expired'
  if (entry === 'name' && !late) return { kind: 'name', workshop, over: Boolean(session?.finishedAt) }
  if (entry === 'login' || entry === 'register') return { kind: entry, workshop }
  if (!session || (late && !staff)) return { kind: 'expired', workshop }
  const newParticipant = buildNewParticipant(event, session.id, request, { staff, registration, name })
  return { kind: 'allowed', workshop, event, newParticipant, staff }
}

/** Allocates to the holder of a seat token a seat or a position in the queue, unless the session is over. */
function readmit(participant: RoomParticipant, now: Date): Promise<RoomAdmission> {
  return inTenant(participant, async (tx) => {
    if (participant.session.finishedAt) return { participant, queued: null }
    await lockRoomRow(tx, participant)
    return { participant, queued: await takeSeat(tx, participant, participant.role, now) }
  })
}

async function buildMeetingView(
  request: EntryRequest,
  { workshop, event, staff }: AllowedEntry,
  arrival: RoomAdmission,
  now: Date,
): Promise<MeetingView> {
  if (!arrival) return { kind: 'banned', workshop }
  const { participant, queued } = arrival
  const { session } = participant
  if (session.canceledAt) return { kind: 'canceled', workshop }
  if (session.finishedAt) return { kind: 'finished', workshop, seatToken: signSeatToken(participant, now) }
  if (queued) return { kind: 'limit', workshop, seatToken: signSeatToken(participant, now), ...queued }
  // Read after the lock of the room is released: many participants enter at the same time.
  const room = await inTenant(participant, (tx) =>
    buildRoomView(tx, participant, event, { loginDigest: request.actor?.viewer, summary: workshop }),
  )
  if (room.auto?.phase === 'over' || room.state.phase === 'finished')
    return { kind: 'finished', workshop, seatToken: room.seatToken }
  const { phase } = room.auto?.state ?? room.state
  const open = phase === 'live' || isWithinStaffEntry(staff, session.startAt, now)
  return { kind: open ? 'room' : 'waiting', workshop, room }
}

/** Participant that a seat token names, if it belongs to this event; null for an invalid token. */
async function findBySeatToken({ tenantId, workshopId, seatToken }: EntryRequest): Promise<RoomParticipant | null> {
  const named = seatToken ? readSeatToken(seatToken) : null
  if (named?.tenantId !== tenantId) return null
  const registration = await findRoomParticipant(named)
  return registration?.workshopId === workshopId && !registration.bannedAt && registration.role === 'viewer'
    ? registration
    : null
}

// Staff enter a day before the start; viewers wait.
function isWithinStaffEntry(staff: RoomRole | null, startAt: Date | null, now: Date): boolean {
  return staff !== null && staff !== 'viewer' && (!startAt || startAt.getTime() - now.getTime() <= STAFF_ENTRY_MS)
}

async function findStaffRole(tx: Tx, event: EventRow, actor: Actor | null): Promise<RoomRole | null> {
  if (!actor || actor.accountType === 'ACCOUNT_TYPE_STUDENT') return null
  return roomRoleOf(actor, await findEventRoles(tx, actor, event.id))
}

async function findSession(
  tx: Tx,
  event: EventRow,
  request: EntryRequest,
  { staff, sessionId: registered }: { staff: RoomRole | null; sessionId: string | null },
  now: Date,
) {
  const { sessionId, timeZone, actor, name } = request
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
  const viewerZone = timeZone && isTimeZone(timeZone) ? timeZone : event.timeZone
  const begun = registered ?? (await findOwnAutoSession(tx, event.id, request))
  // An on-demand session starts only for a known viewer: an anonymous visitor gives a name first.
  if (!begun && !actor && !name) return null
  const autoSessionId = begun ?? (await findSessionToEnter(tx, event.id, { viewerZone }, now))?.sessionId
  if (!autoSessionId) return null
  const [autoSession] = await sessions.where(and(ofEvent, eq(workshopSession.id, autoSessionId)))
  return autoSession ?? null
}

/**
 * Running auto-webinar session in which the visitor already is a participant. On demand each viewer has a session of
 * their own.
 */
async function findOwnAutoSession(tx: Tx, workshopId: string, { actor, device }: EntryRequest): Promise<string | null> {
  const isVisitor = actor
    ? eq(workshopParticipant.memberId, actor.membershipId)
    : and(eq(workshopParticipant.device, digestDevice(device)), eq(workshopParticipant.kind, 'guest'))
  const [session] = await tx
    .select({ id: workshopSession.id })
    .from(workshopParticipant)
    .innerJoin(workshopSession, eq(workshopSession.id, workshopParticipant.sessionId))
    .where(
      and(
        eq(workshopParticipant.workshopId, workshopId),
        eq(workshopSession.kind, 'auto'),
        isNull(workshopSession.finishedAt),
        isNull(workshopSession.canceledAt),
        isVisitor,
      ),
    )
    .orderBy(desc(workshopSession.startAt))
    .limit(1)
  return session?.id ?? null
}

const digestDevice = (device: string): string => createHash('sha256').update(device).digest('base64url')

async function findGuest(tx: Tx, sessionId: string, { actor, device }: EntryRequest): Promise<{ name: string } | null> {
  if (actor) return null
  const id = await findParticipant(tx, sessionId, {
    memberId: null,
    registrationId: null,
    device: digestDevice(device),
  })
  if (!id) return null
  const { name } = workshopParticipant
  const [guest] = await tx.select({ name }).from(workshopParticipant).where(eq(workshopParticipant.id, id))
  return guest ?? null
}

interface EntryFacts {
  staff: RoomRole | null
  registration: EntryRegistration | null
  name: string | null
}

function buildNewParticipant(
  event: EventRow,
  sessionId: string,
  request: EntryRequest,
  { staff, registration, name }: EntryFacts,
): NewParticipant {
  const { tenantId, actor } = request
  const known = registration?.state === 'confirmed' ? registration : null
  // A signed-in visitor keeps their own identity when they open the personal link of another person.
  const own = known && (actor === null || belongsToActor(known, actor)) && !staff ? known : null
  const zone = request.timeZone && isTimeZone(request.timeZone) ? request.timeZone : null
  return {
    tenantId,
    sessionId,
    workshopId: event.id,
    role: staff ?? 'viewer',
    device: digestDevice(request.device),
    kind: participantKindOf(staff, actor, known?.id != null),
    memberId: actor?.membershipId ?? null,
    registrationId: own?.id ?? null,
    name: (actor && actorName(actor)) || known?.name || name || '',
    email: actor?.email ?? known?.email ?? null,
    locale: actor?.locale ?? known?.locale ?? request.locale,
    timeZone: actor?.timeZone ?? zone ?? known?.timeZone ?? event.timeZone,
  }
}

function participantKindOf(staff: RoomRole | null, actor: Actor | null, registered: boolean): ParticipantKind {
  if (staff) return 'staff'
  if (actor) return 'student'
  return registered ? 'registrant' : 'guest'
}

const actorName = (actor: Actor): string => fullName(actor) || (actor.email.split('@')[0] ?? '')
