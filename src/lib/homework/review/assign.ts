import { and, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { courseStaff } from '#lib/course/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, submissionEvent, task } from '../table.ts'
import { noteLesson } from '../task/lesson-state.ts'
import { announceDesk, holdWork, noteEvent } from './lock.ts'
import { idArray, type Scope } from './queue-sql.ts'
import { judge, mustReopen } from './review.ts'
import { canReview, holdsLock } from './rules.ts'
import { AssignWorks, LOCK_MINUTES, RECALL_SECONDS, type Skip, SomeWorks } from './schema.ts'
import { mustJudge, scopeOf } from './scope.ts'

export interface Affected {
  submissionId: string
  student: string
  task: string
  /** Why it would be passed over; null when it would be done. */
  skip: Skip | null
}

/** Whom an acceptance of several works would concern, and which it would pass over and why. Refuses alike. */
export function previewAccept(actor: Actor, input: SomeWorks): Promise<Affected[]> {
  mustJudge(actor)
  const { submissionIds } = SomeWorks.parse(input)
  return inTenant(actor, async (tx) => {
    const rows = await worksOf(tx, actor, submissionIds)
    return rows.map(({ id, student, task: title, ...row }) => {
      return { submissionId: id, student, task: title, skip: skipOf(actor, row) }
    })
  })
}

/**
 * Accepts several works that wait and need no points: each as if by itself, in one transaction. Works that are judged
 * already, open at somebody else's, or want points are passed over. Answers which were accepted. Refuses with forbidden,
 * plan_inactive.
 */
export function acceptWorks(actor: Actor, input: SomeWorks): Promise<{ accepted: string[] }> {
  mustJudge(actor)
  const { submissionIds } = SomeWorks.parse(input)
  return inTenant(actor, async (tx) => {
    const rows = await worksOf(tx, actor, submissionIds, true)
    const fit = rows.filter((row) => skipOf(actor, row) === null)
    for (const { id, studentId, lessonId } of fit) {
      await judge(tx, actor, { submissionId: id, state: 'accepted', studentId, lessonId })
    }
    return { accepted: fit.map(({ id }) => id) }
  })
}

/**
 * Takes back verdicts that the actor gave within RECALL_SECONDS, before the students were told: the works wait again as
 * they did. Others are passed over. Answers which wait again. Refuses with forbidden, plan_inactive.
 */
export function recallWorks(actor: Actor, input: SomeWorks): Promise<{ recalled: string[] }> {
  mustJudge(actor)
  const { submissionIds } = SomeWorks.parse(input)
  return inTenant(actor, async (tx) => {
    const recalled: string[] = []
    for (const submissionId of submissionIds) {
      const found = await holdWork(tx, actor, submissionId)
      const fresh = found.reviewedAt && Date.now() - found.reviewedAt.getTime() < RECALL_SECONDS * 1000
      if (found.reviewedBy !== actor.membershipId || !fresh) continue
      await mustReopen(tx, found, submissionId)
      await tx
        .update(submission)
        .set({ state: 'submitted', reviewedBy: null, reviewedAt: null, updatedAt: new Date() })
        .where(eq(submission.id, submissionId))
      await noteEvent(tx, actor, submissionId, 'reopened')
      await noteLesson(tx, actor, found)
      await announceDesk(submissionId, { state: 'submitted', holder: null })
      recalled.push(submissionId)
    }
    return { recalled }
  })
}

/**
 * Gives works that wait to a reviewer, or to nobody with null; with one statement however many. Works of courses that
 * the reviewer does not answer for are passed over. Answers which were given. Refuses with forbidden, plan_inactive,
 * not_found for somebody who reviews nothing here.
 */
export function assignWorks(actor: Actor, input: AssignWorks): Promise<{ assigned: string[] }> {
  mustJudge(actor)
  const { submissionIds, memberId } = AssignWorks.parse(input)
  return inTenant(actor, async (tx) => {
    const scope = await scopeOf(tx, actor)
    await mustFind(tx, scope, submissionIds)
    const theirs = memberId === null ? null : await coursesOf(tx, memberId)
    const rows = await tx
      .update(submission)
      .set({ assignedTo: memberId, updatedAt: new Date() })
      .where(
        and(
          inArray(submission.id, submissionIds),
          inArray(submission.state, ['submitted', 'in_review']),
          scope ? sql`${submission.courseId} = any(${idArray(scope)})` : undefined,
          theirs ? sql`${submission.courseId} = any(${idArray(theirs)})` : undefined,
        ),
      )
      .returning({ id: submission.id })
    const events = rows.map(({ id }) => {
      return { tenantId: actor.tenantId, submissionId: id, event: 'assigned' as const, by: actor.membershipId }
    })
    if (events.length > 0) await tx.insert(submissionEvent).values(events)
    return { assigned: rows.map(({ id }) => id) }
  })
}

/** Refuses with not_found when none of the works is the actor's to see. */
async function mustFind(tx: Tx, scope: Scope, submissionIds: string[]): Promise<void> {
  const [found] = await tx
    .select({ id: submission.id })
    .from(submission)
    .where(
      and(
        inArray(submission.id, submissionIds),
        sql`${submission.state} <> 'draft'`,
        scope ? sql`${submission.courseId} = any(${idArray(scope)})` : undefined,
      ),
    )
    .limit(1)
  if (!found) throw new Refusal('not_found')
}

/** The courses whose works a member may review; null: all. Refuses with not_found. */
async function coursesOf(tx: Tx, memberId: string): Promise<string[] | null> {
  const [found] = await tx
    .select({ roles: membership.roles, accountType: membership.accountType })
    .from(membership)
    .where(eq(membership.id, memberId))
  if (!found || found.accountType === 'ACCOUNT_TYPE_STUDENT') throw new Refusal('not_found')
  const roles = found.accountType === 'ACCOUNT_TYPE_PRODUCT_OWNER' ? (['OWNER'] as const) : found.roles
  if (canReview({ roles: [...roles] }, false).allow) return null
  if (!canReview({ roles: [...roles] }, true).allow) throw new Refusal('not_found')
  const rows = await tx
    .select({ courseId: courseStaff.courseId })
    .from(courseStaff)
    .where(eq(courseStaff.memberId, memberId))
  return rows.map(({ courseId }) => courseId)
}

async function worksOf(tx: Tx, actor: Actor, submissionIds: readonly string[], held = false) {
  const scope = await scopeOf(tx, actor)
  const asked = tx
    .select({
      id: submission.id,
      state: submission.state,
      lockedBy: submission.lockedBy,
      lockedAt: submission.lockedAt,
      studentId: submission.studentId,
      lessonId: submission.lessonId,
      score: submission.score,
      task: task.title,
      grading: task.grading,
      rubric: task.rubric,
      student: sql<string>`coalesce(nullif(trim(${user.firstName} || ' ' || ${user.lastName}), ''), ${user.email})`,
    })
    .from(submission)
    .innerJoin(task, eq(task.id, submission.taskId))
    .innerJoin(membership, eq(membership.id, submission.studentId))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(
      and(
        inArray(submission.id, [...submissionIds]),
        sql`${submission.state} <> 'draft'`,
        scope ? sql`${submission.courseId} = any(${idArray(scope)})` : undefined,
      ),
    )
    .orderBy(submission.submittedAt, submission.id)
  const rows = await (held ? asked.for('update', { of: submission }) : asked)
  if (rows.length === 0) throw new Refusal('not_found')
  return rows
}

type Work = Pick<Awaited<ReturnType<typeof worksOf>>[number], 'state' | 'lockedBy' | 'lockedAt' | 'grading' | 'rubric'>

function skipOf(actor: Actor, work: Work): Skip | null {
  if (work.state !== 'submitted' && work.state !== 'in_review') return 'notWaiting'
  if (work.lockedBy !== actor.membershipId && holdsLock(work, LOCK_MINUTES)) return 'locked'
  // Points are given one by one, looking at the work: nobody gets any by default.
  return work.grading === 'points' || work.rubric.length > 0 ? 'needsScore' : null
}
