import { type SQL, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { microsecondsOf } from '#lib/core/db/keyset.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { type InvitationPage, InvitationRow } from './output-schema.ts'
import type { InvitationListState } from './rules.ts'
import type { ListInvitations } from './schema.ts'

/**
 * The newest invitation of each student with its state, newest first. Earlier invitations of the same student are only
 * in the audit log. Refuses with forbidden, invalid (cursor).
 */
export async function listInvitations(actor: Actor, input: ListInvitations): Promise<InvitationPage> {
  requireStudentAdministrator(actor)
  const { q, state, cursor, limit } = input
  const after = readCursor(InstantKey, cursor)
  const search = matchesSearch(q, sql`i.email`, sql`s.name`)
  const conditions = [
    sql`i.tenant_id = current_tenant()`,
    sql`not exists (select 1 from invitation n where n.tenant_id = i.tenant_id and n.student_id = i.student_id
      and (n.created_at, n.id) > (i.created_at, i.id))`,
    ...(state ? [sql`${STATE} = ${state}`] : []),
    ...(search ? [search] : []),
    ...(after ? [sql`(i.created_at, i.id) < (to_timestamp(${after.at}::numeric / 1000000), ${after.id}::uuid)`] : []),
  ]
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<Record<string, unknown>>(sql`
      select i.id, i.student_id as "studentId", s.name, i.email, ${STATE} as state,
        case when mail.status in ('failed', 'bounced') then mail.error end as error,
        ${isoOf(sql`i.created_at`)} as "createdAt", ${isoOf(sql`i.opened_at`)} as "openedAt",
        ${isoOf(sql`i.accepted_at`)} as "acceptedAt", ${isoOf(sql`i.expires_at`)} as "expiresAt",
        ${microsecondsOf(sql`i.created_at`)} as created_key
      from invitation i
      join student s on s.tenant_id = i.tenant_id and s.id = i.student_id and s.deleted_at is null
      left join mail on mail.id = i.mail_id
      where ${sql.join(conditions, sql` and `)}
      order by i.created_at desc, i.id desc limit ${limit + 1}`)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map((row) => parseStored(InvitationRow, row)),
      next: last ? writeCursor(InstantKey, { at: String(last.created_key), id: String(last.id) }) : null,
    }
  })
}

const named = (state: InvitationListState): SQL => sql`${sql.raw(`'${state}'`)}`

// An email that is no longer in the outbox was sent long ago.
const STATE = sql`case
  when i.accepted_at is not null then ${named('accepted')}
  when i.revoked_at is not null then ${named('revoked')}
  when mail.status in ('failed', 'bounced') then ${named('failed')}
  when i.expires_at <= now() then ${named('expired')}
  when i.opened_at is not null then ${named('opened')}
  when i.mail_id is null or mail.status in ('queued', 'recalled') then ${named('created')}
  else ${named('sent')} end`

const isoOf = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
