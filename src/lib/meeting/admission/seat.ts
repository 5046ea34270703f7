import { timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { keyedDigest } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { ParticipantKind, RoomRole, SessionKind } from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { formatUuid } from '#lib/core/shared/uuid.ts'
import { membership } from '#lib/user/table.ts'
import { hasRight, type RoomRight } from '#lib/workshop/rules.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { meetingQueue } from '../table.ts'

/** Identity in a seat token: one participant in one session of one tenant. */
export interface SeatRef {
  tenantId: string
  sessionId: string
  personId: string
}

/** A participant in the room with the facts that authorize actions. `tenantId` makes it a scope for `inTenant`. */
export interface RoomParticipant extends SeatRef {
  workshopId: string
  role: RoomRole
  profile: {
    id: string
    kind: ParticipantKind
    name: string
    email: string | null
    locale: Locale
    timeZone: string
    memberId: string | null
    registrationId: string | null
    mutedUntil: Date | null
    isolatedAt: Date | null
  }
  session: {
    id: string
    kind: SessionKind
    startAt: Date | null
    plannedMinutes: number
    startedAt: Date | null
    finishedAt: Date | null
    canceledAt: Date | null
    state: RoomState
  }
}

/** Covers the waiting time, a long event and the conversation after it. */
const SEAT_TOKEN_TTL_HOURS = 18

/**
 * Signs a seat token: the three ids, the expiry in seconds and 16 bytes of HMAC-SHA256, as base64url. Guests have no
 * account: every procedure of the room takes the token instead.
 */
export function signSeatToken({ tenantId, sessionId, personId }: SeatRef, now = new Date()): string {
  const body = Buffer.alloc(52)
  for (const [index, id] of [tenantId, sessionId, personId].entries())
    body.write(id.replaceAll('-', ''), index * 16, 'hex')
  body.writeUInt32BE(Math.floor(now.getTime() / 1000) + SEAT_TOKEN_TTL_HOURS * HOUR_SECONDS, 48)
  return Buffer.concat([body, computeMac(body)]).toString('base64url')
}

/** Verifies a seat token. Refuses with unauthorized when the signature is wrong or the token has expired. */
export function verifySeatToken(seatToken: string, now = new Date()): SeatRef {
  const seat = readSeatToken(seatToken, now)
  if (!seat) throw new Refusal('unauthorized')
  return seat
}

/** Reads a seat token; null when it is invalid or expired. */
export function readSeatToken(seatToken: string, now = new Date()): SeatRef | null {
  const bytes = Buffer.from(seatToken, 'base64url')
  const body = bytes.subarray(0, 52)
  if (bytes.length !== 68 || !timingSafeEqual(bytes.subarray(52), computeMac(body))) return null
  if (body.readUInt32BE(48) * 1000 <= now.getTime()) return null
  return { tenantId: readUuid(body, 0), sessionId: readUuid(body, 16), personId: readUuid(body, 32) }
}

/**
 * Requires a participant with a seat and the given right. Joins the surrounding transaction of the tenant, if any.
 * Refuses with unauthorized (invalid token or unknown participant) and forbidden (banned, in the waiting queue, or
 * without the right).
 */
export async function requireSeat(
  seatToken: string,
  right: RoomRight = 'talk',
  now = new Date(),
): Promise<RoomParticipant> {
  const seat = verifySeatToken(seatToken, now)
  const participant = await findRoomParticipant(seat)
  if (!participant) throw new Refusal('unauthorized')
  const { bannedAt, queued, ...seated } = participant
  if (bannedAt) throw new Refusal('forbidden', { data: { reason: 'banned' } })
  if (queued) throw new Refusal('forbidden', { data: { reason: 'no_seat' } })
  if (!hasRight(seated.role, right)) throw new Refusal('forbidden', { data: { reason: `may_not_${right}` } })
  return seated
}

/** Finds a participant of a session, also a queued or banned one; null when there is none. */
export async function findRoomParticipant(
  seat: SeatRef,
): Promise<(RoomParticipant & { bannedAt: Date | null; queued: boolean }) | null> {
  const [row] = await inTenant(seat, (tx) =>
    tx
      .select({
        profile: workshopParticipant,
        session: workshopSession,
        queued: meetingQueue.personId,
        blockedAt: membership.blockedAt,
      })
      .from(workshopParticipant)
      .innerJoin(workshopSession, eq(workshopSession.id, workshopParticipant.sessionId))
      .leftJoin(
        meetingQueue,
        and(
          eq(meetingQueue.sessionId, workshopParticipant.sessionId),
          eq(meetingQueue.personId, workshopParticipant.id),
        ),
      )
      .leftJoin(
        membership,
        and(eq(membership.tenantId, workshopParticipant.tenantId), eq(membership.id, workshopParticipant.memberId)),
      )
      .where(and(eq(workshopParticipant.id, seat.personId), eq(workshopParticipant.sessionId, seat.sessionId))),
  )
  // A member who is blocked in the tenant has no seat in its rooms.
  if (!row || row.blockedAt) return null
  const { profile, session, queued } = row
  const { role, bannedAt, workshopId } = profile
  return { ...seat, workshopId, role, bannedAt, queued: queued !== null, profile, session }
}

function readUuid(body: Buffer, start: number): string {
  return formatUuid(body.toString('hex', start, start + 16))
}

const computeMac = (body: Buffer): Buffer => keyedDigest('meeting seat', body.toString('base64url')).subarray(0, 16)
