import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { requireProgramReader } from '../program/permission.ts'
import type { MentoringStatisticsQuery } from './schema.ts'

const StatisticsRow = z.object({
  title: z.string(),
  mentor: z.string(),
  completed: z.number(),
  upcoming: z.number(),
  canceled: z.number(),
  missed: z.number(),
  minutes: z.number(),
  /** Mean of the ratings, 1 to 5; null without any. */
  rating: z.number().nullable(),
})
export type StatisticsRow = z.output<typeof StatisticsRow>

/**
 * Sessions by program and mentor: of all for managers of content and mentors. With a period, only sessions that started
 * in its days before now, and coming ones. Refuses with forbidden.
 */
export function listMentoringStatistics(
  actor: Actor,
  { period }: MentoringStatisticsQuery = {},
  now = new Date(),
): Promise<StatisticsRow[]> {
  requireProgramReader(actor)
  const since = period && new Date(now.getTime() - Number(period) * DAY_MS).toISOString()
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<Record<string, unknown>>(sql`
      select p.title, ${personNameIn('u')} as mentor,
        (count(*) filter (where b.state = 'completed'))::int as completed,
        (count(*) filter (where b.state in ('requested', 'confirmed')
          and s.end_at > ${now.toISOString()}::timestamptz))::int as upcoming,
        (count(*) filter (where b.state in ('canceledByStudent', 'canceledByMentor')))::int as canceled,
        (count(*) filter (where b.state in ('noShowStudent', 'noShowMentor')))::int as missed,
        coalesce(sum(extract(epoch from s.end_at - s.start_at) / 60) filter (where b.state = 'completed'), 0)::int
          as minutes,
        avg(b.rating)::float8 as rating
      from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
        join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id
        join membership m on m.tenant_id = s.tenant_id and m.id = s.mentor_id join "user" u on u.id = m.user_id
      where b.tenant_id = current_tenant() and ${since ? sql`s.start_at >= ${since}::timestamptz` : sql`true`}
      group by p.id, p.title, m.id, u.first_name, u.last_name, u.email
      order by p.title, p.id, mentor limit 500`)
    return rows.map((row) => parseStored(StatisticsRow, row))
  })
}
