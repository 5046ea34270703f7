import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SubmissionState } from '#lib/core/shared/learning.ts'
import { course, lesson } from '#lib/course/table.ts'
import { quizAttempt } from '#lib/quiz/attempt/table.ts'
import { quizReview } from '#lib/quiz/review/table.ts'
import { quiz } from '#lib/quiz/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, task } from '../table.ts'
import { isNewestFirst, selectWork } from './queue-sql.ts'
import { holdsLock } from './rules.ts'
import { type ListQueue, LOCK_MINUTES, type WorkKind } from './schema.ts'
import { loadScope, requireFilterInScope, requireQueueAccess } from './scope.ts'

export interface MemberView {
  id: string
  name: string
}

/** A submission of homework, or an attempt at a test with answers that have to be marked. */
export interface QueueRow {
  id: string
  kind: WorkKind
  /** The page on which it is reviewed. */
  href: string
  /** `graded`: an attempt at a test was reviewed. */
  state: SubmissionState | 'graded'
  attempt: number
  late: boolean
  submittedAt: Date | null
  answerBy: Date | null
  reviewedAt: Date | null
  score: number | null
  maxPoints: number | null
  /** Number of files of the answer to a task. */
  files: number
  /** Title of the task or test. */
  task: string
  course: { id: string; title: string }
  /** Null for a test. */
  lesson: { id: string; title: string } | null
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
  name: personName(account),
})

/**
 * A column of the submission or, for an attempt at a test, of its review. Not `coalesce`: PostgreSQL takes it for leaky,
 * so a join by it may not use an index of a table with row-level security and reads all members of the tenant.
 */
const either = <T extends AnyPgColumn>(ofSubmission: T, ofReview: AnyPgColumn): SQL<T['_']['data'] | null> =>
  sql`case when ${ofSubmission} is null then ${ofReview} else ${ofSubmission} end`.mapWith(ofSubmission)

/**
 * A page of the work that the actor is responsible for, the longest waiting first; two statements, and one to check
 * filters by id, regardless of the size of the tenant. Curators see the work of their courses. Refuses with forbidden,
 * not_found for a filter by a row of another tenant, invalid for a cursor of another list.
 */
export function listQueue(actor: Actor, input: ListQueue): Promise<QueuePage> {
  requireQueueAccess(actor)
  const { cursor, limit, ...filter } = input
  const after = readCursor(InstantKey, cursor)
  const direction = sql.raw(isNewestFirst(filter.tab) ? 'desc' : 'asc')
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    await requireFilterInScope(tx, scope, filter)
    const rows = await selectRows(tx, selectWork({ actor, filter, scope, limit: limit + 1, after }), direction)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return { items: rows.slice(0, limit).map(toRow), next: last ? writeCursor(InstantKey, last) : null }
  })
}

function selectRows(tx: Tx, selected: SQL, direction: SQL) {
  return tx
    .select({
      id: sql<string>`picked.id`,
      kind: sql<WorkKind>`picked.kind`,
      submissionState: submission.state,
      quizId: quizReview.quizId,
      isGraded: sql<boolean>`coalesce(${quizReview.state} = 'reviewed', false)`,
      attempt: sql<number>`coalesce(${submission.attempt}, ${quizAttempt.number})`,
      late: sql<boolean>`coalesce(${submission.late}, false)`,
      submittedAt: either(submission.submittedAt, quizReview.submittedAt),
      answerBy: either(submission.answerBy, quizReview.answerBy),
      reviewedAt: either(submission.reviewedAt, quizReview.reviewedAt),
      score: sql<number | null>`coalesce(${submission.score}, ${quizAttempt.score})::float8`,
      maxPoints: sql<number | null>`coalesce(${task.maxPoints}, ${quizAttempt.maxScore})::float8`,
      task: sql<string>`coalesce(${task.title}, ${quiz.title})`,
      lockedAt: submission.lockedAt,
      files: sql<number>`coalesce(cardinality(${submission.fileIds}), 0)`,
      course: { id: course.id, title: course.title },
      lessonId: lesson.id,
      lessonTitle: lesson.title,
      student: memberFields(student),
      assignedTo: memberFields(assignee),
      lockedBy: memberFields(holder),
      reviewedBy: memberFields(reviewer),
      at: sql<string>`(extract(epoch from picked.at) * 1000000)::bigint::text`,
    })
    .from(sql`(${selected}) picked`)
    .leftJoin(
      submission,
      and(sql`picked.kind = 'homework'`, eq(submission.id, sql`picked.id`), inCurrentTenant(submission)),
    )
    .leftJoin(task, and(eq(task.id, submission.taskId), inCurrentTenant(task)))
    .leftJoin(lesson, and(eq(lesson.id, submission.lessonId), inCurrentTenant(lesson)))
    .leftJoin(
      quizReview,
      and(sql`picked.kind = 'test'`, eq(quizReview.attemptId, sql`picked.id`), inCurrentTenant(quizReview)),
    )
    .leftJoin(quizAttempt, and(eq(quizAttempt.id, quizReview.attemptId), inCurrentTenant(quizAttempt)))
    .leftJoin(quiz, and(eq(quiz.id, quizReview.quizId), inCurrentTenant(quiz)))
    .innerJoin(course, and(eq(course.id, either(submission.courseId, quizReview.courseId)), inCurrentTenant(course)))
    .innerJoin(
      student.member,
      and(eq(student.member.id, either(submission.studentId, quizReview.studentId)), inCurrentTenant(student.member)),
    )
    .innerJoin(student.user, eq(student.user.id, student.member.userId))
    .leftJoin(
      assignee.member,
      and(
        eq(assignee.member.id, either(submission.assignedTo, quizReview.assignedTo)),
        inCurrentTenant(assignee.member),
      ),
    )
    .leftJoin(assignee.user, eq(assignee.user.id, assignee.member.userId))
    .leftJoin(holder.member, and(eq(holder.member.id, submission.lockedBy), inCurrentTenant(holder.member)))
    .leftJoin(holder.user, eq(holder.user.id, holder.member.userId))
    .leftJoin(
      reviewer.member,
      and(
        eq(reviewer.member.id, either(submission.reviewedBy, quizReview.reviewedBy)),
        inCurrentTenant(reviewer.member),
      ),
    )
    .leftJoin(reviewer.user, eq(reviewer.user.id, reviewer.member.userId))
    .orderBy(sql`picked.at ${direction}, picked.id ${direction}`)
}

type SelectedRow = Awaited<ReturnType<typeof selectRows>>[number]

function toRow({ at: _, lockedAt, assignedTo, lockedBy, reviewedBy, lessonId, lessonTitle, ...row }: SelectedRow) {
  const { quizId, isGraded, submissionState, ...shown } = row
  return {
    ...shown,
    href: quizId ? `/test/${quizId}/${row.student.id}?attempt=${row.id}` : `/homework/${row.id}`,
    state: submissionState ?? (isGraded ? 'graded' : 'submitted'),
    lesson: lessonId === null ? null : { id: lessonId, title: lessonTitle ?? '' },
    assignedTo: memberOrNull(assignedTo),
    lockedBy: holdsLock({ lockedBy: lockedBy.id, lockedAt }, LOCK_MINUTES) ? memberOrNull(lockedBy) : null,
    reviewedBy: memberOrNull(reviewedBy),
  } satisfies QueueRow
}

// Row-level security adds the same condition; the planner needs it to use the keys.
const inCurrentTenant = (table: { tenantId: AnyPgColumn }) => sql`${table.tenantId} = current_tenant()`

function memberOrNull(member: { id: string | null; name: string }): MemberView | null {
  return member.id === null ? null : { id: member.id, name: member.name }
}
