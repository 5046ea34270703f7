import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { instantOfKey, microsecondsOf } from '#lib/core/db/keyset.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { ProgramCover, programCoverSql } from './cover.ts'
import { requireProgramReader } from './permission.ts'
import { type ListPrograms, PROGRAM_FORMATS, PROGRAM_STATUSES } from './schema.ts'

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
  cover: ProgramCover,
  at: z.string(),
})
export type ProgramListItem = Omit<z.output<typeof ProgramListRow>, 'cover' | 'at'> & { cover: Picture | null }

export interface ProgramPage {
  items: ProgramListItem[]
  /** Pass as `cursor` for the next page; null on the last one. */
  next: string | null
}

const PAGE_SIZE = 50
const ProgramKey = InstantKey.extend({ isOwn: z.boolean() })

/** The programs of the school, those of the actor first, then the last changed. Refuses with forbidden, invalid. */
export function listPrograms(actor: Actor, { view, cursor }: ListPrograms, now = new Date()): Promise<ProgramPage> {
  requireProgramReader(actor)
  const after = readCursor(ProgramKey, cursor)
  const isAfter = after
    ? sql`and (coalesce(m.is_own, false), p.updated_at, p.id) < (${after.isOwn}, ${instantOfKey(after)}, ${after.id}::uuid)`
    : sql``
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<Record<string, unknown>>(sql`
      select p.id, p.title, p.status, p.format, p.session_minutes as "sessionMinutes",
        coalesce(m.names[1:3], '{}') as "mentorNames", coalesce(cardinality(m.names), 0) as "mentorCount",
        (select count(*)::int from program_enrolment e
          where e.tenant_id = p.tenant_id and e.program_id = p.id and e.revoked_at is null) as "studentCount",
        (select count(*)::int from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
          where s.tenant_id = p.tenant_id and s.program_id = p.id and s.start_at > ${now.toISOString()}::timestamptz
            and b.state in ('requested', 'confirmed')) as "upcomingCount",
        coalesce(m.is_own, false) as "isOwn", ${programCoverSql} as cover, ${microsecondsOf(sql`p.updated_at`)} as at
      from mentor_program p left join lateral (
        select array_agg(${personNameIn('u')}
            order by u.last_name, u.first_name, pm.member_id) as names,
          bool_or(pm.member_id = ${actor.membershipId}) as is_own
        from program_mentor pm join membership ms on ms.tenant_id = pm.tenant_id and ms.id = pm.member_id
          join "user" u on u.id = ms.user_id
        where pm.tenant_id = p.tenant_id and pm.program_id = p.id and ms.blocked_at is null) m on true
      where p.tenant_id = current_tenant() and (p.status = 'archived') = ${view === 'archived'} ${isAfter}
      order by coalesce(m.is_own, false) desc, p.updated_at desc, p.id desc limit ${PAGE_SIZE + 1}`)
    const found = rows.slice(0, PAGE_SIZE).map((row) => parseStored(ProgramListRow, row))
    const last = rows.length > PAGE_SIZE ? found.at(-1) : undefined
    return {
      items: found.map(({ at: _, cover, ...item }) => ({ ...item, cover: cover && pictureFor(actor, cover) })),
      next: last ? writeCursor(ProgramKey, last) : null,
    }
  })
}
