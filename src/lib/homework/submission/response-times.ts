import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { getStudentRights } from '#lib/course/access/students.ts'
import { getCourse } from '#lib/course/course.ts'
import { CourseId } from '#lib/course/schema.ts'

export interface HomeworkTimes {
  waiting: number
  /** Answered in the last twelve weeks. */
  answered: number
  /** Of those, answered after the promised time. */
  overdue: number
  /** Half of the answers came within so many hours; null without answers. */
  medianHours: number | null
  /** The last twelve weeks, the oldest first; `week` is its Monday as `2026-11-16` in the zone that was asked for. */
  weeks: { week: string; answered: number; medianHours: number | null }[]
  reviewers: { name: string; answered: number; medianHours: number }[]
}

type Row = { kind: string; name: string | null; answered: string; overdue: string; hours: string | null }

/**
 * How long works of a course wait for an answer, the last twelve weeks; two statements. `zone` is the IANA zone that
 * weeks are counted in. Refuses with forbidden (curators: unless assigned), not_found.
 */
export async function getHomeworkTimes(
  actor: Actor,
  input: { courseId: string },
  zone: string,
): Promise<HomeworkTimes> {
  const { courseId } = CourseId.parse(input)
  await getCourse(actor, { courseId })
  const { manage } = await getStudentRights(actor, { courseId })
  if (!manage.allow) throw new Refusal('forbidden', { data: { because: manage.because } })
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<Row>(sql`
      with judged as (
        select s.reviewed_by, s.answer_by < s.reviewed_at as overdue,
            extract(epoch from s.reviewed_at - s.submitted_at) / 3600 as hours,
            to_char(date_trunc('week', s.reviewed_at at time zone ${zone}), 'YYYY-MM-DD') as week
          from submission s
         where s.course_id = ${courseId} and s.submitted_at is not null
           and s.reviewed_at > now() - interval '12 weeks' and s.reviewed_by is not null)
      select 'all' as kind, null as name, count(*) as answered, count(*) filter (where overdue) as overdue,
          percentile_cont(0.5) within group (order by hours) as hours from judged
      union all
      select 'week', week, count(*), 0, percentile_cont(0.5) within group (order by hours) from judged group by week
      union all
      select 'reviewer', trim(u.first_name || ' ' || u.last_name), count(*), 0,
          percentile_cont(0.5) within group (order by hours)
        from judged j join membership m on m.tenant_id = current_tenant() and m.id = j.reviewed_by
        join "user" u on u.id = m.user_id group by u.id, u.first_name, u.last_name
      union all
      select 'waiting', null, count(*), 0, null from submission s
       where s.course_id = ${courseId} and s.state in ('submitted', 'in_review')`),
  )
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  const [whole] = of('all')
  const known = new Map(of('week').map((row) => [row.name, row]))
  return {
    waiting: Number(of('waiting')[0]?.answered ?? 0),
    answered: Number(whole?.answered ?? 0),
    overdue: Number(whole?.overdue ?? 0),
    medianHours: hoursOf(whole),
    weeks: lastWeeks(zone, 12).map((week) => ({
      week,
      answered: Number(known.get(week)?.answered ?? 0),
      medianHours: hoursOf(known.get(week)),
    })),
    reviewers: of('reviewer')
      .map((row) => ({ name: row.name ?? '', answered: Number(row.answered), medianHours: hoursOf(row) ?? 0 }))
      .sort((a, b) => b.answered - a.answered),
  }
}

const hoursOf = (row: Row | undefined): number | null =>
  row?.hours == null ? null : Math.round(Number(row.hours) * 10) / 10

/** Mondays of the last weeks in a zone, the oldest first. */
function lastWeeks(zone: string, count: number): string[] {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date())
  const noon = new Date(`${today}T12:00:00Z`)
  const monday = noon.getTime() - ((noon.getUTCDay() + 6) % 7) * 86_400_000
  return Array.from({ length: count }, (_, index) =>
    new Date(monday - (count - 1 - index) * 7 * 86_400_000).toISOString().slice(0, 10),
  )
}
