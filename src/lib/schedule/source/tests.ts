import { sql } from 'drizzle-orm'
import type {
  ScheduleQuery,
  ScheduleResult,
  ScheduleSource,
  ScheduleViewer,
} from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { type AttemptOverrideFacts, effectiveSettings } from '#lib/quiz/attempt/rules.ts'
import { canEditQuizzes, canReviewAttempts } from '#lib/quiz/rules.ts'
import { scheduleScope } from '../rules.ts'
import { dateItem, isWithinPeriod } from './date-item.ts'
import { staffCourses } from './scope-sql.ts'

const MAX_TESTS = 2000

interface TestRow extends Record<string, unknown> {
  id: string
  title: string
  closeAt: string | null
  courseTitle: string
  courseId: string
  groupId: string | null
  groupName: string | null
}

/** Deadlines of tests; of students with their exceptions, of staff also those of groups. */
export const testSource: ScheduleSource = { kinds: ['test'], loadItems: loadTests }

async function loadTests(tx: Tx, actor: ScheduleViewer, query: ScheduleQuery): Promise<ScheduleResult> {
  const scope = scheduleScope(actor)
  if (scope === 'notes' || query.filters.personId) return { items: [] }
  return { items: scope === 'student' ? await loadOwnTests(tx, actor, query) : await loadStaffTests(tx, actor, query) }
}

async function loadStaffTests(tx: Tx, actor: ScheduleViewer, query: ScheduleQuery) {
  const { courseId, groupId } = query.filters
  const period = sql`between ${query.boundaries[0]?.toISOString() ?? null}::timestamptz
    and ${query.boundaries.at(-1)?.toISOString() ?? null}::timestamptz`
  const ofQuiz = sql`q.tenant_id = current_tenant() and q.deleted_at is null and q.status = 'published'
    and ${staffCourses(actor, sql`q.course_id`)} and ${courseId ? sql`q.course_id = ${courseId}` : sql`true`}`
  const { rows } = await tx.execute<TestRow>(sql`
    select q.id, q.title, q.close_at as "closeAt", c.title as "courseTitle", c.id as "courseId",
      null::uuid as "groupId", null as "groupName"
    from quiz q join course c on c.tenant_id = q.tenant_id and c.id = q.course_id
    where ${ofQuiz} and q.close_at ${period} and ${groupId === undefined}
    union all
    select q.id, q.title, o.close_at, c.title, c.id, g.id, g.name
    from quiz_override o join quiz q on q.tenant_id = o.tenant_id and q.id = o.quiz_id
    join course c on c.tenant_id = q.tenant_id and c.id = q.course_id
    join study_group g on g.tenant_id = o.tenant_id and g.id = o.group_id
    where ${ofQuiz} and o.close_at ${period} and ${groupId ? sql`o.group_id = ${groupId}` : sql`true`}
    limit ${MAX_TESTS}`)
  const canMoveGroups = canReviewAttempts(actor, true).allow
  const canMoveCourses = canEditQuizzes(actor).allow
  return rows.flatMap(({ id, title, closeAt, courseTitle, courseId: course, groupId: group, groupName }) => {
    const startAt = new Date(closeAt ?? 0)
    if (!isWithinPeriod(startAt, query)) return []
    const context = groupName ? `${courseTitle} · ${groupName}` : courseTitle
    const href = `/course/edit/${course}?tab=tests&quiz=${id}`
    const isMovable = (group ? canMoveGroups : canMoveCourses) && startAt > query.now
    return [dateItem('test', group ? `${id}.${group}` : id, { title, startAt, context, href }, isMovable)]
  })
}

async function loadOwnTests(tx: Tx, actor: ScheduleViewer, query: ScheduleQuery) {
  const { courseId, groupId } = query.filters
  const studentId = actor.membershipId
  const { rows } = await tx.execute<TestRow & { overrides: StoredOverride[] }>(sql`
    select q.id, q.title, q.close_at as "closeAt", c.title as "courseTitle", c.id as "courseId",
      coalesce((select jsonb_agg(jsonb_build_object('studentId', o.student_id, 'closeAt', o.close_at))
        from quiz_override o where o.tenant_id = q.tenant_id and o.quiz_id = q.id and (o.student_id = ${studentId}
          or o.group_id in (select a.source_id from enrolled_grants() a where a.student_id = ${studentId}
            and a.source_type = 'group'))), '[]') as overrides
    from quiz q join course c on c.tenant_id = q.tenant_id and c.id = q.course_id
    where q.tenant_id = current_tenant() and q.deleted_at is null and q.status = 'published' and not q.hidden
      and ${courseId ? sql`c.id = ${courseId}` : sql`true`}
      and exists (select 1 from course_access(${query.now.toISOString()}::timestamptz) a where a.course_id = c.id
        and a.student_id = ${studentId} and ${groupId ? sql`a.group_id = ${groupId}` : sql`true`})
    order by q.id limit ${MAX_TESTS}`)
  return rows.flatMap(({ id, title, closeAt, courseTitle, overrides }) => {
    const settings = { ...UNLIMITED, closeAt: closeAt === null ? null : new Date(closeAt) }
    const { closeAt: startAt } = effectiveSettings(settings, overrides.map(toOverride))
    return startAt && isWithinPeriod(startAt, query)
      ? [dateItem('test', id, { title, startAt, context: courseTitle, href: `/test/${id}` })]
      : []
  })
}

interface StoredOverride {
  studentId: string | null
  closeAt: string | null
}

const UNLIMITED = { openAt: null, closeAt: null, timeLimitSec: null, attempts: null, delayMinutes: 0 }

const toOverride = ({ studentId, closeAt }: StoredOverride): AttemptOverrideFacts => ({
  studentId,
  openAt: null,
  closeAt: closeAt === null ? null : new Date(closeAt),
  timeLimitSec: null,
  extraAttempts: 0,
  extraTimeSec: 0,
})
