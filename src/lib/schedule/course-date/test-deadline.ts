import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { setOverride } from '#lib/quiz/overrides.ts'
import { updateQuiz } from '#lib/quiz/quiz.ts'
import { staffCourses } from '../source/scope-sql.ts'
import type { CourseDateMove, CourseDateRequest } from './planned-move.ts'
import { splitCourseDateId } from './schema.ts'

interface TestDate extends Record<string, unknown> {
  title: string
  courseId: string
  courseTitle: string
  revision: number
  openAt: string | null
  closeAt: string | null
  groupOpenAt: string | null
  groupCloseAt: string | null
  timeLimitSec: number | null
  extraAttempts: number
  extraTimeSec: number
}

/**
 * Plans another deadline of a test: of the test itself, or of a group that has an exception with one. Refuses with
 * not_found, and with unprocessable when the test would close before it opens.
 */
export async function planTestMove(tx: Tx, actor: Actor, { id, startAt }: CourseDateRequest): Promise<CourseDateMove> {
  const { targetId: quizId, groupId } = splitCourseDateId(id)
  const { rows } = await tx.execute<TestDate>(sql`select q.title, c.id as "courseId", c.title as "courseTitle",
      q.revision, q.open_at as "openAt", q.close_at as "closeAt", o.open_at as "groupOpenAt",
      o.close_at as "groupCloseAt", o.time_limit_sec as "timeLimitSec", o.extra_attempts as "extraAttempts",
      o.extra_time_sec as "extraTimeSec"
    from quiz q join course c on c.tenant_id = q.tenant_id and c.id = q.course_id
      left join quiz_override o on o.tenant_id = q.tenant_id and o.quiz_id = q.id and o.group_id = ${groupId}::uuid
    where q.tenant_id = current_tenant() and q.id = ${quizId} and q.deleted_at is null and q.status = 'published'
      and ${staffCourses(actor, sql`q.course_id`)}`)
  const [row] = rows
  const closeAt = groupId ? row?.groupCloseAt : row?.closeAt
  if (!row || !closeAt) throw new Refusal('not_found')
  const opensAt = (groupId && row.groupOpenAt) || row.openAt
  if (opensAt && new Date(opensAt) >= startAt) {
    throw new Refusal('unprocessable', { fields: { form: ['end_before_start'] } })
  }
  const { title, courseId, courseTitle, revision, timeLimitSec, extraAttempts, extraTimeSec } = row
  const newCloseAt = startAt.toISOString()
  return {
    kind: 'test',
    title,
    courseId,
    courseTitle,
    groupId,
    before: new Date(closeAt),
    after: startAt,
    together: [],
    save: () => {
      if (!groupId) return updateQuiz(actor, { quizId, revision, settings: { closeAt: newCloseAt } })
      const openAt = row.groupOpenAt && new Date(row.groupOpenAt).toISOString()
      const kept = { openAt, timeLimitSec, extraAttempts, extraTimeSec }
      return setOverride(actor, { quizId, groupId, studentId: null, ...kept, closeAt: newCloseAt })
    },
  }
}
