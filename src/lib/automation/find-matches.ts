import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#lib/core/db/db.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { listOverdueTasks } from '#lib/homework/submission/overdue.ts'
import { type CauseFilter, causesOf, type TriggerSettings } from './trigger-sql.ts'

/** A student for whom an automation acts because of something that has happened. */
export const Match = z.object({
  studentId: z.string(),
  name: z.string(),
  /** Empty unless it is stored. */
  firstName: z.string(),
  patronymic: z.string(),
  /** Identifies what has happened. */
  cause: z.string(),
  /** When the automation acts: the delay after it has happened. */
  dueAt: z.coerce.date(),
  /** What it is about, e.g. the title of a test, and its page. */
  subject: z.string(),
  link: z.string(),
  courseId: z.string().nullable(),
})
export type Match = z.output<typeof Match>

interface MatchOptions {
  /** Acts after this instant, until `to`. */
  from: Date
  to: Date
  /** Without those for whom this automation has acted. */
  automationId?: string
  /** What would have been done in the past, when homework was not yet answered. */
  isDryRun?: boolean
  /** Limits what is looked for. */
  filter?: CauseFilter
  limit: number
}

/**
 * The students for whom an automation acts in a period, in the order of time, with the number of all. The job and the dry
 * run use the same statement, so that they cannot differ. Blocked, deleted and not yet accepted students are omitted.
 */
export async function findMatches(
  tx: Tx,
  settings: TriggerSettings,
  { from, to, automationId, isDryRun = false, filter, limit }: MatchOptions,
): Promise<{ matches: Match[]; total: number }> {
  const { trigger, delayHours } = settings
  const causes =
    trigger === 'homeworkOverdue'
      ? await overdueCauses(tx, settings, { to, isDryRun })
      : causesOf({ ...settings, trigger }, filter)
  const isNew = automationId
    ? sql`and not exists (select from automation_run r where r.tenant_id = current_tenant()
        and r.automation_id = ${automationId} and r.student_id = m.student_id and r.cause = m.cause)`
    : sql``
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    with found as (${causes}),
    m as (select *, at + make_interval(hours => ${delayHours}) as due_at from found)
    select m.student_id as "studentId", s.sort_name as name, u.first_name as "firstName",
      coalesce(u.patronymic, '') as patronymic, m.cause, m.due_at as "dueAt",
      m.subject, m.link, m.course_id as "courseId", (count(*) over ())::int as total
    from m join student s on s.tenant_id = current_tenant() and s.id = m.student_id
      join "user" u on u.id = s.user_id
    where m.due_at > ${from.toISOString()}::timestamptz and m.due_at <= ${to.toISOString()}::timestamptz
      and s.blocked_at is null and s.deleted_at is null and s.anonymized_at is null and s.status = 'accepted' ${isNew}
    order by m.due_at, m.student_id, m.cause limit ${limit}`)
  return { matches: rows.map((row) => parseStored(Match, row)), total: Number(rows[0]?.total ?? 0) }
}

/** Overdue tasks at the time when the automation acts. */
async function overdueCauses(
  tx: Tx,
  { courseId, delayHours }: TriggerSettings,
  { to, isDryRun }: { to: Date; isDryRun: boolean },
): Promise<SQL> {
  const overdue = await listOverdueTasks(tx, {
    courseId,
    now: to,
    ...(isDryRun && { answeredWithinMs: delayHours * HOUR_MS }),
  })
  const rows = overdue.map(({ studentId, taskId, dueAt, title, lessonId, courseId }) => ({
    student_id: studentId,
    cause: `overdue/${taskId}`,
    at: dueAt.toISOString(),
    subject: title,
    link: `/course/lesson/${lessonId}`,
    course_id: courseId,
  }))
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as r(student_id uuid, cause text, at timestamptz, subject text, link text, course_id uuid)`
}
