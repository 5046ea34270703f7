import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { requireProgramReader } from './permission.ts'
import { PROGRAM_FORMATS, PROGRAM_STATUSES } from './schema.ts'

const ProgramListRow = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(PROGRAM_STATUSES),
  format: z.enum(PROGRAM_FORMATS),
  sessionMinutes: z.number(),
  /** Names of up to three mentors, and the number of all. */
  mentorNames: z.array(z.string()),
  mentorCount: z.number(),
  studentCount: z.number(),
  upcomingCount: z.number(),
  isOwn: z.boolean(),
})
export type ProgramListRow = z.output<typeof ProgramListRow>

/** Programs on a page of the list: a plan allows far fewer, the rest are archived ones. */
const MAX_PROGRAMS = 200

/** The programs of the school, those of the actor first. Refuses with forbidden. */
export function listPrograms(
  actor: Actor,
  { view }: { view: 'active' | 'archived' },
  now = new Date(),
): Promise<ProgramListRow[]> {
  requireProgramReader(actor)
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<Record<string, unknown>>(sql`
      select p.id, p.title, p.status, p.format, p.session_minutes as "sessionMinutes",
        coalesce(m.names[1:3], '{}') as "mentorNames", coalesce(cardinality(m.names), 0) as "mentorCount",
        (select count(*)::int from program_enrolment e
          where e.tenant_id = p.tenant_id and e.program_id = p.id and e.revoked_at is null) as "studentCount",
        (select count(*)::int from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
          where s.tenant_id = p.tenant_id and s.program_id = p.id and s.start_at > ${now.toISOString()}::timestamptz
            and b.state in ('requested', 'confirmed')) as "upcomingCount",
        coalesce(m.is_own, false) as "isOwn"
      from mentor_program p left join lateral (
        select array_agg(${personNameIn('u')}
            order by u.last_name, u.first_name, pm.member_id) as names,
          bool_or(pm.member_id = ${actor.membershipId}) as is_own
        from program_mentor pm join membership ms on ms.tenant_id = pm.tenant_id and ms.id = pm.member_id
          join "user" u on u.id = ms.user_id
        where pm.tenant_id = p.tenant_id and pm.program_id = p.id and ms.blocked_at is null) m on true
      where p.tenant_id = current_tenant() and (p.status = 'archived') = ${view === 'archived'}
      order by coalesce(m.is_own, false) desc, p.updated_at desc, p.id limit ${MAX_PROGRAMS}`)
    return rows.map((row) => parseStored(ProgramListRow, row))
  })
}
