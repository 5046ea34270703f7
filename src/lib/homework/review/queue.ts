import { and, eq, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { inTenant } from '#lib/core/db/db.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course, lesson } from '#lib/course/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, task } from '../table.ts'
import { isNewestFirst, pickWorks } from './queue-sql.ts'
import { holdsLock } from './rules.ts'
import { ListQueue, LOCK_MINUTES } from './schema.ts'
import { mustKnow, mustSeeQueue, scopeOf } from './scope.ts'

export interface PersonView {
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
  /** Files handed in. */
  files: number
  task: string
  course: { id: string; title: string }
  lesson: { id: string; title: string }
  student: PersonView
  assignedTo: PersonView | null
  /** Who has it open now. */
  lockedBy: PersonView | null
  reviewedBy: PersonView | null
}

export interface QueuePage {
  items: QueueRow[]
  /** Hand it in as `cursor` for the next page; null on the last one. */
  next: string | null
}

/** A person of the school by their row and, when they have no name, by e-mail. */
const person = (name: string) => ({ member: alias(membership, `${name}_member`), user: alias(user, `${name}_user`) })
const student = person('student')
const assignee = person('assignee')
const holder = person('holder')
const judge = person('judge')

const personFields = ({ member, user: who }: ReturnType<typeof person>) => ({
  id: sql<string>`${member.id}`,
  name: sql<string>`coalesce(nullif(trim(${who.firstName} || ' ' || ${who.lastName}), ''), ${who.email})`,
})

/**
 * A page of the works that the actor answers for, what waits longest first; two statements, and one to check filters by id, whatever the school's size.
 * Curators get those of their courses. Refuses with forbidden, not_found for a filter by a stranger's row, invalid for a foreign cursor.
 */
export function listQueue(actor: Actor, input: ListQueue = {}): Promise<QueuePage> {
  mustSeeQueue(actor)
  const { cursor, limit, ...filter } = ListQueue.parse(input)
  const after = readCursor(InstantKey, cursor)
  const way = sql.raw(isNewestFirst(filter.tab) ? 'desc' : 'asc')
  return inTenant(actor, async (tx) => {
    const scope = await scopeOf(tx, actor)
    await mustKnow(tx, scope, filter)
    const picked = pickWorks({ actor, filter, scope, limit: limit + 1, after })
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
        student: personFields(student),
        assignedTo: personFields(assignee),
        lockedBy: personFields(holder),
        reviewedBy: personFields(judge),
        at: sql<string>`(extract(epoch from picked.at) * 1000000)::bigint::text`,
      })
      .from(sql`(${picked}) picked`)
      .innerJoin(submission, and(eq(submission.id, sql`picked.id`), ours(submission)))
      .innerJoin(task, and(eq(task.id, submission.taskId), ours(task)))
      .innerJoin(course, and(eq(course.id, submission.courseId), ours(course)))
      .innerJoin(lesson, and(eq(lesson.id, submission.lessonId), ours(lesson)))
      .innerJoin(student.member, and(eq(student.member.id, submission.studentId), ours(student.member)))
      .innerJoin(student.user, eq(student.user.id, student.member.userId))
      .leftJoin(assignee.member, and(eq(assignee.member.id, submission.assignedTo), ours(assignee.member)))
      .leftJoin(assignee.user, eq(assignee.user.id, assignee.member.userId))
      .leftJoin(holder.member, and(eq(holder.member.id, submission.lockedBy), ours(holder.member)))
      .leftJoin(holder.user, eq(holder.user.id, holder.member.userId))
      .leftJoin(judge.member, and(eq(judge.member.id, submission.reviewedBy), ours(judge.member)))
      .leftJoin(judge.user, eq(judge.user.id, judge.member.userId))
      .orderBy(sql`picked.at ${way}, picked.id ${way}`)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    const items = rows.slice(0, limit).map(({ at: _, lockedAt, assignedTo, lockedBy, reviewedBy, ...row }) => ({
      ...row,
      assignedTo: known(assignedTo),
      lockedBy: holdsLock({ lockedBy: lockedBy.id, lockedAt }, LOCK_MINUTES) ? known(lockedBy) : null,
      reviewedBy: known(reviewedBy),
    }))
    return { items, next: last ? writeCursor(InstantKey, last) : null }
  })
}

// The wall says it too; the planner reads the keys by it.
const ours = (table: { tenantId: AnyPgColumn }) => sql`${table.tenantId} = current_tenant()`

function known(who: { id: string | null; name: string }): PersonView | null {
  return who.id === null ? null : { id: who.id, name: who.name }
}
