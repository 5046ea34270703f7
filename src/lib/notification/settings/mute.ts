import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { MuteInput, MuteSubject } from './schema.ts'
import { notificationMute } from './table.ts'

/*
 * Muting does not check that the subject exists: a row about anything else has no effect, because `notify` names the
 * subjects. The number of rows is limited by the rate limit of the API.
 */

/** Mutes a course, group or conversation for the actor; muting it again changes the end. */
export function muteSubject(actor: Actor, { type, id, until }: MuteInput): Promise<void> {
  const end = until ? new Date(until) : null
  return inTenant(actor, async (tx) => {
    await tx
      .insert(notificationMute)
      .values({
        tenantId: actor.tenantId,
        memberId: actor.membershipId,
        subjectType: type,
        subjectId: id,
        until: end,
      })
      .onConflictDoUpdate({
        target: [
          notificationMute.tenantId,
          notificationMute.memberId,
          notificationMute.subjectType,
          notificationMute.subjectId,
        ],
        set: { until: end },
      })
  })
}

/** Ends the muting; a subject that is not muted stays as it is. */
export function unmuteSubject(actor: Actor, { type, id }: MuteSubject): Promise<void> {
  return inTenant(actor, async (tx) => {
    await tx
      .delete(notificationMute)
      .where(and(isOfMember(actor), eq(notificationMute.subjectType, type), eq(notificationMute.subjectId, id)))
  })
}

/** Whether the actor has muted a subject now, and until when; null when not. */
export function getMute(
  actor: Actor,
  { type, id }: MuteSubject,
  now = new Date(),
): Promise<{ until: Date | null } | null> {
  return inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({ until: notificationMute.until })
      .from(notificationMute)
      .where(
        and(
          isOfMember(actor),
          eq(notificationMute.subjectType, type),
          eq(notificationMute.subjectId, id),
          isInForce(now),
        ),
      )
    return row ?? null
  })
}

/** The subjects that the actor has muted now. */
export function listMutes(actor: Actor, now = new Date()): Promise<(MuteSubject & { until: Date | null })[]> {
  return inTenant(actor, (tx) => selectMutes(tx, actor, now))
}

function selectMutes(tx: Tx, actor: Actor, now: Date) {
  return tx
    .select({
      type: notificationMute.subjectType,
      id: notificationMute.subjectId,
      until: notificationMute.until,
    })
    .from(notificationMute)
    .where(and(isOfMember(actor), isInForce(now)))
    .orderBy(notificationMute.createdAt)
    .limit(MAX_LISTED)
}

const MAX_LISTED = 500

const isInForce = (now: Date) => or(isNull(notificationMute.until), gt(notificationMute.until, now))

const isOfMember = (actor: Actor) =>
  and(eq(notificationMute.tenantId, actor.tenantId), eq(notificationMute.memberId, actor.membershipId))
