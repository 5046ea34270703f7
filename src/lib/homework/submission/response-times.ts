import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { getStudentRights } from '#lib/course/access/students.ts'
import { getCourse } from '#lib/course/course.ts'

export interface ResponseTimes {
  waiting: number
  /** Reviewed in the last twelve weeks. */
  answered: number
  /** Of those, reviewed after the promised time. */
  overdue: number
  /** Median response time in hours; null without reviews. */
  medianHours: number | null
  /** The last twelve weeks, the oldest first; `week` is its Monday as `2026-11-16` in the requested time zone. */
  weeks: { week: string; answered: number; medianHours: number | null }[]
  reviewers: { name: string; answered: number; medianHours: number }[]
}

type TimesRow = { kind: string; name: string | null; answered: string; overdue: string; hours: string | null }

/**
 * Response times of a course in the last twelve weeks; two statements. `timeZone` is the IANA zone in which weeks are
 * counted. Refuses with forbidden (curators: unless assigned), not_found.
 */
export async function getResponseTimes(
  actor: Actor,
  input: { courseId: string },
  timeZone: string,
): Promise<ResponseTimes> {
  const { courseId } = input
  await getCourse(actor, { courseId })
  const { manage } = await getStudentRights(actor, { courseId })
  if (!manage.allow) throw new Refusal('forbidden', { data: { reason: manage.reason } })
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<TimesRow>(sql`
      with reviewed as (
        select s.reviewed_by, s.answer_by < s.reviewed_at as overdue,
            extract(epoch from s.reviewed_at - s.submitted_at) / 3600 as hours,
            to_char(date_trunc('week', s.reviewed_at at time zone ${timeZone}), 'YYYY-MM-DD') as week
          from submission s
         where s.course_id = ${courseId} and s.submitted_at is not null
           and s.reviewed_at > now() - interval '12 weeks' and s.reviewed_by is not null)
      select 'all' as kind, null as name, count(*) as answered, count(*) filter (where overdue) as overdue,
          percentile_cont(0.5) within group (order by hours) as hours from reviewed
      union all
      select 'week', week, count(*), 0, percentile_cont(0.5) within group (order by hours) from reviewed group by week
      union all
      select 'reviewer', trim(u.first_name || ' ' || u.last_name), count(*), 0,
          percentile_cont(0.5) within group (order by hours)
        from reviewed j join membership m on m.tenant_id = current_tenant() and m.id = j.reviewed_by
        join "user" u on u.id = m.user_id group by u.id, u.first_name, u.last_name
      union all
      select 'waiting', null, count(*), 0, null from submission s
       where s.course_id = ${courseId} and s.state in ('submitted', 'in_review')`),
  )
  const rowsOfKind = (kind: string) => rows.filter((row) => row.kind === kind)
  const [total] = rowsOfKind('all')
  const byWeek = new Map(rowsOfKind('week').map((row) => [row.name, row]))
  return {
    waiting: Number(rowsOfKind('waiting')[0]?.answered ?? 0),
    answered: Number(total?.answered ?? 0),
    overdue: Number(total?.overdue ?? 0),
    medianHours: hoursOf(total),
    weeks: lastWeeks(timeZone, 12).map((week) => ({
      week,
      answered: Number(byWeek.get(week)?.answered ?? 0),
      medianHours: hoursOf(byWeek.get(week)),
    })),
    reviewers: rowsOfKind('reviewer')
      .map((row) => ({ name: row.name ?? '', answered: Number(row.answered), medianHours: hoursOf(row) ?? 0 }))
      .sort((a, b) => b.answered - a.answered),
  }
}

const hoursOf = (row: TimesRow | undefined): number | null =>
  row?.hours == null ? null : Math.round(Number(row.hours) * 10) / 10

/** Mondays of the last weeks in a time zone, the oldest first. */
function lastWeeks(timeZone: string, count: number): string[] {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date())
  const noon = new Date(`${today}T12:00:00Z`)
  const monday = noon.getTime() - ((noon.getUTCDay() + 6) % 7) * DAY_MS
  return Array.from({ length: count }, (_, index) =>
    new Date(monday - (count - 1 - index) * 7 * DAY_MS).toISOString().slice(0, 10),
  )
}
