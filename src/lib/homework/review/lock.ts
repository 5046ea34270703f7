import { and, eq, lt } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SubmissionState } from '#lib/core/shared/learning.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, submissionEvent } from '../table.ts'
import type { MemberView } from './queue.ts'
import { holdsLock } from './rules.ts'
import { LOCK_MINUTES, type OpenSubmission } from './schema.ts'
import { isWithin, loadScope, requireReviewing } from './scope.ts'

export interface LockView {
  state: SubmissionState
  /** The reviewer who has locked it; null when nobody has. */
  holder: MemberView | null
  /** The actor holds the lock. */
  isMine: boolean
  /** Version of the review's draft. */
  version: number
}

/** Sent on the channel `review:{submissionId}`. */
export interface LockEvent {
  state: SubmissionState
  holder: MemberView | null
}

/**
 * Locks a waiting submission for the actor, so that no other reviewer can review it. A lock of another reviewer is
 * taken only with `takeOver`; the other page is informed immediately. A submission that is already reviewed is not
 * locked. Refuses with forbidden, plan_inactive, not_found.
 */
export function openSubmission(actor: Actor, input: OpenSubmission): Promise<LockView> {
  requireReviewing(actor)
  const { submissionId, takeOver } = input
  return inTenant(actor, async (tx) => {
    const row = await lockRow(tx, actor, submissionId)
    const version = row.feedbackVersion
    if (row.state !== 'submitted' && row.state !== 'in_review')
      return { state: row.state, holder: null, isMine: false, version }
    const isLocked = holdsLock(row, LOCK_MINUTES)
    if (isLocked && row.lockedBy === actor.membershipId) return touchLock(tx, actor, submissionId, version)
    if (isLocked && !takeOver)
      return { state: row.state, holder: await findMember(tx, row.lockedBy), isMine: false, version }
    await tx
      .update(submission)
      .set({ state: 'in_review', lockedBy: actor.membershipId, lockedAt: new Date(), updatedAt: new Date() })
      .where(eq(submission.id, submissionId))
    await recordEvent(tx, actor, submissionId, isLocked ? 'taken_over' : 'locked')
    const holder = { id: actor.membershipId, name: nameOf(actor) }
    await publishLock(submissionId, { state: 'in_review', holder })
    return { state: 'in_review', holder, isMine: true, version }
  })
}

/** Extends the actor's lock. Refuses with conflict when another reviewer holds it by now. */
export function renewLock(actor: Actor, input: { submissionId: string }): Promise<LockView> {
  requireReviewing(actor)
  const { submissionId } = input
  return inTenant(actor, async (tx) => {
    const { feedbackVersion } = await requireOwnLock(tx, actor, submissionId)
    return touchLock(tx, actor, submissionId, feedbackVersion)
  })
}

/** Releases the actor's lock; the draft of the review is kept. A lock of another reviewer is not changed. */
export function releaseSubmission(actor: Actor, input: { submissionId: string }): Promise<void> {
  requireReviewing(actor)
  const { submissionId } = input
  return inTenant(actor, async (tx) => {
    const row = await lockRow(tx, actor, submissionId)
    if (row.state !== 'in_review' || row.lockedBy !== actor.membershipId) return
    await releaseRow(tx, submissionId)
    await recordEvent(tx, actor, submissionId, 'released')
    await publishLock(submissionId, { state: 'submitted', holder: null })
  })
}

/** Releases locks without activity for LOCK_MINUTES in all tenants. Returns how many. */
export async function releaseIdleLocks(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - LOCK_MINUTES * MINUTE_MS)
  return forEachTenant({ job: 'homework.releaseIdleLocks', dueSql: IDLE_LOCKS, now: before }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const rows = await tx
        .select({ id: submission.id, lockedBy: submission.lockedBy })
        .from(submission)
        .where(and(eq(submission.state, 'in_review'), lt(submission.lockedAt, before)))
        .for('update', { skipLocked: true })
      for (const { id, lockedBy } of rows) {
        await releaseRow(tx, id)
        if (lockedBy) await recordEvent(tx, { tenantId, membershipId: lockedBy }, id, 'released')
      }
      for (const { id } of rows) await publishLock(id, { state: 'submitted', holder: null })
      return rows.length
    }),
  )
}

const IDLE_LOCKS = "select 1 from submission where state = 'in_review' and locked_at < $1"

/** The row of a submission that the actor may review, locked until the transaction ends. Refuses with not_found. */
export async function lockRow(tx: Tx, actor: Actor, submissionId: string) {
  const scope = await loadScope(tx, actor)
  const [row] = await tx
    .select({
      state: submission.state,
      lockedBy: submission.lockedBy,
      lockedAt: submission.lockedAt,
      studentId: submission.studentId,
      lessonId: submission.lessonId,
      courseId: submission.courseId,
      taskId: submission.taskId,
      attempt: submission.attempt,
      feedbackVersion: submission.feedbackVersion,
      reviewedBy: submission.reviewedBy,
      reviewedAt: submission.reviewedAt,
    })
    .from(submission)
    .where(eq(submission.id, submissionId))
    .for('update')
  // A draft of a student is visible to its author only.
  if (!row || row.state === 'draft' || !isWithin(scope, row.courseId)) throw new Refusal('not_found')
  return row
}

/** As lockRow, for a submission that the actor has locked. Refuses with conflict and the holder of the lock. */
export async function requireOwnLock(tx: Tx, actor: Actor, submissionId: string) {
  const row = await lockRow(tx, actor, submissionId)
  if (row.state === 'in_review' && row.lockedBy === actor.membershipId) return row
  throw await lockConflict(tx, row)
}

/** As requireOwnLock, or without any lock: the last save of a reviewer may arrive after the lock was released. */
export async function requireNoOtherLock(tx: Tx, actor: Actor, submissionId: string) {
  const row = await lockRow(tx, actor, submissionId)
  const isOwn = row.state === 'in_review' && row.lockedBy === actor.membershipId
  if (isOwn || row.state === 'submitted') return { ...row, own: isOwn }
  throw await lockConflict(tx, row)
}

async function lockConflict(tx: Tx, row: { state: SubmissionState; lockedBy: string | null }): Promise<Refusal> {
  const holder = row.state === 'in_review' ? await findMember(tx, row.lockedBy) : null
  const key = holder ? 'review_taken' : 'review_not_held'
  const data = { state: row.state, holder }
  return new Refusal('conflict', { fields: { form: [key] }, variables: { name: holder?.name ?? '' }, data })
}

export async function recordEvent(
  tx: Tx,
  { tenantId, membershipId }: Pick<Actor, 'tenantId' | 'membershipId'>,
  submissionId: string,
  event: (typeof submissionEvent.$inferInsert)['event'],
): Promise<void> {
  await tx.insert(submissionEvent).values({ tenantId, submissionId, event, by: membershipId })
}

/** Publishes the lock state to open review pages. The last statement of the surrounding transaction. */
export const publishLock = (submissionId: string, event: LockEvent): Promise<void> =>
  publish(`review:${submissionId}`, event)

export async function findMember(tx: Tx, memberId: string | null): Promise<MemberView | null> {
  if (!memberId) return null
  const [member] = await tx
    .select({
      id: membership.id,
      name: personName(user),
    })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.id, memberId))
  return member ?? null
}

export const nameOf = ({ firstName, lastName, email }: Pick<Actor, 'firstName' | 'lastName' | 'email'>): string =>
  `${firstName} ${lastName}`.trim() || email

async function touchLock(tx: Tx, actor: Actor, submissionId: string, version: number): Promise<LockView> {
  await tx.update(submission).set({ lockedAt: new Date() }).where(eq(submission.id, submissionId))
  return { state: 'in_review', holder: { id: actor.membershipId, name: nameOf(actor) }, isMine: true, version }
}

async function releaseRow(tx: Tx, submissionId: string): Promise<void> {
  await tx
    .update(submission)
    .set({ state: 'submitted', lockedBy: null, lockedAt: null, updatedAt: new Date() })
    .where(eq(submission.id, submissionId))
}
