import { and, eq, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { inTenant } from '#lib/core/db/db.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course, lesson } from '#lib/course/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, task } from '../table.ts'
import { isNewestFirst, selectSubmissions } from './queue-sql.ts'
import { holdsLock } from './rules.ts'
import { type ListQueue, LOCK_MINUTES } from './schema.ts'
import { loadScope, requireFilterInScope, requireQueueAccess } from './scope.ts'

export interface MemberView {
  id: string
  name: string
}

export interface QueueRow {
  id: string
  state: 'draft' | 'submitted' | 'in_review' | 'accepted' | 'returned' | 'rejected'
  attempt: number
  late: boolean
  submittedAt: Date | null
  answerBy: Date | null
  reviewedAt: Date | null
  score: number | null
  maxPoints: number | null
  /** Number of files of the answer. */
  files: number
  task: string
  course: { id: string; title: string }
  lesson: { id: string; title: string }
  student: MemberView
  assignedTo: MemberView | null
  /** The holder of the lock. */
  lockedBy: MemberView | null
  reviewedBy: MemberView | null
}

export interface QueuePage {
  items: QueueRow[]
  /** Pass it as `cursor` for the next page; null on the last one. */
  next: string | null
}

/** Aliases to join a member and the account, for the name or, without one, the email address. */
const aliasMember = (name: string) => ({
  member: alias(membership, `${name}_member`),
  user: alias(user, `${name}_user`),
})
const student = aliasMember('student')
const assignee = aliasMember('assignee')
const holder = aliasMember('holder')
const reviewer = aliasMember('judge')

const memberFields = ({ member, user: account }: ReturnType<typeof aliasMember>) => ({
  id: sql<string>`${member.id}`,
  name: sql<string>`coalesce(nullif(trim(${account.firstName} || ' ' || ${account.lastName}), ''), ${account.email})`,
})

/**
 * A page of the submissions that the actor is responsible for, the longest waiting first; two statements, and one to
 * check filters by id, regardless of the size of the tenant. Curators get those of their courses. Refuses with
 * forbidden, not_found for a filter by a row of another tenant, invalid for a foreign cursor.
 */
export function listQueue(actor: Actor, input: ListQueue): Promise<QueuePage> {
  requireQueueAccess(actor)
  const { cursor, limit, ...filter } = input
  const after = readCursor(InstantKey, cursor)
  const direction = sql.raw(isNewestFirst(filter.tab) ? 'desc' : 'asc')
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    await requireFilterInScope(tx, scope, filter)
    const selected = selectSubmissions({ actor, filter, scope, limit: limit + 1, after })
    const rows = await tx
      .select({
        id: submission.id,
        state: submission.state,
        attempt: submission.attempt,
        late: submission.late,
        submittedAt: submission.submittedAt,
        answerBy: submission.answerBy,
        reviewedAt: submission.reviewedAt,
        score: submission.score,
        maxPoints: task.maxPoints,
        task: task.title,
        lockedAt: submission.lockedAt,
        files: sql<number>`cardinality(${submission.fileIds})`,
        course: { id: course.id, title: course.title },
        lesson: { id: lesson.id, title: lesson.title },
        student: memberFields(student),
        assignedTo: memberFields(assignee),
        lockedBy: memberFields(holder),
        reviewedBy: memberFields(reviewer),
        at: sql<string>`(extract(epoch from picked.at) * 1000000)::bigint::text`,
      })
      .from(sql`(${selected}) picked`)
      .innerJoin(submission, and(eq(submission.id, sql`picked.id`), inCurrentTenant(submission)))
      .innerJoin(task, and(eq(task.id, submission.taskId), inCurrentTenant(task)))
      .innerJoin(course, and(eq(course.id, submission.courseId), inCurrentTenant(course)))
      .innerJoin(lesson, and(eq(lesson.id, submission.lessonId), inCurrentTenant(lesson)))
      .innerJoin(student.member, and(eq(student.member.id, submission.studentId), inCurrentTenant(student.member)))
      .innerJoin(student.user, eq(student.user.id, student.member.userId))
      .leftJoin(assignee.member, and(eq(assignee.member.id, submission.assignedTo), inCurrentTenant(assignee.member)))
      .leftJoin(assignee.user, eq(assignee.user.id, assignee.member.userId))
      .leftJoin(holder.member, and(eq(holder.member.id, submission.lockedBy), inCurrentTenant(holder.member)))
      .leftJoin(holder.user, eq(holder.user.id, holder.member.userId))
      .leftJoin(reviewer.member, and(eq(reviewer.member.id, submission.reviewedBy), inCurrentTenant(reviewer.member)))
      .leftJoin(reviewer.user, eq(reviewer.user.id, reviewer.member.userId))
      .orderBy(sql`picked.at ${direction}, picked.id ${direction}`)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    const items = rows.slice(0, limit).map(({ at: _, lockedAt, assignedTo, lockedBy, reviewedBy, ...row }) => ({
      ...row,
      assignedTo: memberOrNull(assignedTo),
      lockedBy: holdsLock({ lockedBy: lockedBy.id, lockedAt }, LOCK_MINUTES) ? memberOrNull(lockedBy) : null,
      reviewedBy: memberOrNull(reviewedBy),
    }))
    return { items, next: last ? writeCursor(InstantKey, last) : null }
  })
}

// Row-level security adds the same condition; the planner needs it to use the keys.
const inCurrentTenant = (table: { tenantId: AnyPgColumn }) => sql`${table.tenantId} = current_tenant()`

function memberOrNull(member: { id: string | null; name: string }): MemberView | null {
  return member.id === null ? null : { id: member.id, name: member.name }
}
