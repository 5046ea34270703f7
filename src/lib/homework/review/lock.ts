import { and, eq, lt, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { HomeworkState } from '#lib/core/shared/learning.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, submissionEvent } from '../table.ts'
import type { PersonView } from './queue.ts'
import { holdsLock } from './rules.ts'
import { LOCK_MINUTES, OpenWork, SubmissionId } from './schema.ts'
import { isWithin, mustJudge, scopeOf } from './scope.ts'

export interface LockView {
  state: HomeworkState
  /** Who checks it now; null when nobody does. */
  holder: PersonView | null
  /** Whether that is the actor. */
  mine: boolean
  /** Of the draft of the review. */
  version: number
}

/** What those who look at a work are told. */
export interface DeskEvent {
  state: HomeworkState
  holder: PersonView | null
}

/**
 * Takes a work that waits, for as long as the actor works on it: nobody else can judge it meanwhile. A work that
 * somebody holds is taken only with `takeOver`, and they see it at once; one that was judged is only looked at.
 * Refuses with forbidden, plan_inactive, not_found.
 */
export function openWork(actor: Actor, input: OpenWork): Promise<LockView> {
  mustJudge(actor)
  const { submissionId, takeOver } = OpenWork.parse(input)
  return inTenant(actor, async (tx) => {
    const found = await holdWork(tx, actor, submissionId)
    const version = found.feedbackVersion
    if (found.state !== 'submitted' && found.state !== 'in_review')
      return { state: found.state, holder: null, mine: false, version }
    const held = holdsLock(found, LOCK_MINUTES)
    if (held && found.lockedBy === actor.membershipId) return keep(tx, actor, submissionId, version)
    if (held && !takeOver)
      return { state: found.state, holder: await personOf(tx, found.lockedBy), mine: false, version }
    await tx
      .update(submission)
      .set({ state: 'in_review', lockedBy: actor.membershipId, lockedAt: new Date(), updatedAt: new Date() })
      .where(eq(submission.id, submissionId))
    await noteEvent(tx, actor, submissionId, held ? 'taken_over' : 'locked')
    const holder = { id: actor.membershipId, name: nameOf(actor) }
    await announceDesk(submissionId, { state: 'in_review', holder })
    return { state: 'in_review', holder, mine: true, version }
  })
}

/** Says that the holder still works on it. Refuses with conflict when somebody else holds it by now. */
export function keepWork(actor: Actor, input: { submissionId: string }): Promise<LockView> {
  mustJudge(actor)
  const { submissionId } = SubmissionId.parse(input)
  return inTenant(actor, async (tx) => {
    const { feedbackVersion } = await mustHold(tx, actor, submissionId)
    return keep(tx, actor, submissionId, feedbackVersion)
  })
}

/** Gives a work back to the queue; nothing of the draft of its review is lost. Somebody else's lock stays as it is. */
export function releaseWork(actor: Actor, input: { submissionId: string }): Promise<void> {
  mustJudge(actor)
  const { submissionId } = SubmissionId.parse(input)
  return inTenant(actor, async (tx) => {
    const found = await holdWork(tx, actor, submissionId)
    if (found.state !== 'in_review' || found.lockedBy !== actor.membershipId) return
    await unlock(tx, submissionId)
    await noteEvent(tx, actor, submissionId, 'released')
    await announceDesk(submissionId, { state: 'submitted', holder: null })
  })
}

/** Gives works back to the queue that nobody has touched for LOCK_MINUTES, in all schools. Answers how many. */
export async function releaseIdle(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - LOCK_MINUTES * 60_000)
  return forEachTenant({ job: 'homework.releaseIdle', dueSql: IDLE, now: before }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const rows = await tx
        .select({ id: submission.id, lockedBy: submission.lockedBy })
        .from(submission)
        .where(and(eq(submission.state, 'in_review'), lt(submission.lockedAt, before)))
        .for('update', { skipLocked: true })
      for (const { id, lockedBy } of rows) {
        await unlock(tx, id)
        if (lockedBy) await noteEvent(tx, { tenantId, membershipId: lockedBy }, id, 'released')
      }
      for (const { id } of rows) await announceDesk(id, { state: 'submitted', holder: null })
      return rows.length
    }),
  )
}

const IDLE = "select 1 from submission where state = 'in_review' and locked_at < $1"

/** The row of a work that the actor may review, held until the transaction ends. Refuses with not_found. */
export async function holdWork(tx: Tx, actor: Actor, submissionId: string) {
  const scope = await scopeOf(tx, actor)
  const [found] = await tx
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
  // What the student has not handed in yet is nobody's to see.
  if (!found || found.state === 'draft' || !isWithin(scope, found.courseId)) throw new Refusal('not_found')
  return found
}

/** The same, for a work that the actor holds. Refuses with conflict and who holds it now. */
export async function mustHold(tx: Tx, actor: Actor, submissionId: string) {
  const found = await holdWork(tx, actor, submissionId)
  if (found.state === 'in_review' && found.lockedBy === actor.membershipId) return found
  throw await takenBy(tx, found)
}

/** The same, or that nobody holds: the last words of whoever has just left may come after their leaving. */
export async function mustBeFree(tx: Tx, actor: Actor, submissionId: string) {
  const found = await holdWork(tx, actor, submissionId)
  const own = found.state === 'in_review' && found.lockedBy === actor.membershipId
  if (own || found.state === 'submitted') return { ...found, own }
  throw await takenBy(tx, found)
}

async function takenBy(tx: Tx, found: { state: HomeworkState; lockedBy: string | null }): Promise<Refusal> {
  const holder = found.state === 'in_review' ? await personOf(tx, found.lockedBy) : null
  const key = holder ? 'review_taken' : 'review_not_held'
  const data = { state: found.state, holder }
  return new Refusal('conflict', { fields: { form: [key] }, variables: { name: holder?.name ?? '' }, data })
}

export async function noteEvent(
  tx: Tx,
  { tenantId, membershipId }: Pick<Actor, 'tenantId' | 'membershipId'>,
  submissionId: string,
  event: (typeof submissionEvent.$inferInsert)['event'],
): Promise<void> {
  await tx.insert(submissionEvent).values({ tenantId, submissionId, event, by: membershipId })
}

/** Tells whoever looks at a work. The last statement of the surrounding transaction. */
export const announceDesk = (submissionId: string, event: DeskEvent): Promise<void> =>
  publish(`desk:${submissionId}`, event)

export async function personOf(tx: Tx, memberId: string | null): Promise<PersonView | null> {
  if (!memberId) return null
  const [found] = await tx
    .select({
      id: membership.id,
      name: sql<string>`coalesce(nullif(trim(${user.firstName} || ' ' || ${user.lastName}), ''), ${user.email})`,
    })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.id, memberId))
  return found ?? null
}

export const nameOf = ({ firstName, lastName, email }: Pick<Actor, 'firstName' | 'lastName' | 'email'>): string =>
  `${firstName} ${lastName}`.trim() || email

async function keep(tx: Tx, actor: Actor, submissionId: string, version: number): Promise<LockView> {
  await tx.update(submission).set({ lockedAt: new Date() }).where(eq(submission.id, submissionId))
  return { state: 'in_review', holder: { id: actor.membershipId, name: nameOf(actor) }, mine: true, version }
}

async function unlock(tx: Tx, submissionId: string): Promise<void> {
  await tx
    .update(submission)
    .set({ state: 'submitted', lockedBy: null, lockedAt: null, updatedAt: new Date() })
    .where(eq(submission.id, submissionId))
}
