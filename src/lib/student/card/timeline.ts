import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { instantOfKey, microsecondsOf } from '#lib/core/db/keyset.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { requireStudentRow } from './card.ts'
import type { ListTimeline } from './schema.ts'
import { type CardSection, TIMELINE_KINDS } from './section.ts'

const Entry = z.object({
  id: z.uuid(),
  at: z.coerce.date(),
  kind: z.enum(TIMELINE_KINDS),
  /** The subject of the entry: a lesson, an event, the subject of an email, an audited action. */
  title: z.string(),
  href: z.string().nullable(),
  /** The audited change, with the person who made it; null for a change of the system. Only of `changed`. */
  change: z
    .object({
      action: z.string(),
      by: z.string().nullable(),
      objectName: z.string(),
      before: z.record(z.string(), z.unknown()).nullable(),
      after: z.record(z.string(), z.unknown()).nullable(),
    })
    .nullable(),
})
export type TimelineEntry = z.infer<typeof Entry>
export const TimelinePage = z.object({ items: z.array(Entry), next: z.string().nullable() })
export type TimelinePage = z.infer<typeof TimelinePage>

const TimelineKey = InstantKey.extend({ kind: z.enum(TIMELINE_KINDS) })
const StoredEntry = Entry.omit({ change: true }).extend({ micros: z.string() })
const StoredChange = Entry.shape.change.unwrap().extend({ id: z.string() })

/**
 * The timeline of a student, newest first: one statement over the sources of all modules, each limited to one page.
 * Refuses with forbidden, not_found, invalid (cursor).
 */
export function listTimeline(
  actor: Actor,
  input: ListTimeline,
  sections: readonly CardSection[],
): Promise<TimelinePage> {
  requireStudentAdministrator(actor)
  const { studentId, cursor, limit } = input
  const after = readCursor(TimelineKey, cursor)
  const older = after
    ? sql`where (at, kind, id) < (${instantOfKey(after)}, ${after.kind}::text, ${after.id}::uuid)`
    : sql``
  const sources = [...ownSources(studentId), ...sections.flatMap((section) => section.timeline?.(studentId) ?? [])]
  const pages = sources.map(
    (source) => sql`(select at, id, kind collate "C" as kind, title, href from (${source}) s ${older}
      order by at desc, kind desc, id desc limit ${limit + 1})`,
  )
  return inTenant(actor, async (tx) => {
    const entries = tx.execute<Record<string, unknown>>(sql`
      select *, ${microsecondsOf(sql`at`)} as micros from (${sql.join(pages, sql` union all `)}) e
      order by at desc, kind desc, id desc limit ${limit + 1}`)
    const [{ rows }] = await Promise.all([entries, requireStudentRow(tx, studentId)])
    const items = rows.map((row) => parseStored(StoredEntry, row))
    const last = items.length > limit ? items[limit - 1] : undefined
    const shown = items.slice(0, limit)
    const changes = await loadChanges(
      tx,
      shown.flatMap(({ kind, id }) => (kind === 'changed' ? [id] : [])),
    )
    return {
      items: shown.map(({ micros: _, ...entry }) => ({ ...entry, change: changes.get(entry.id) ?? null })),
      next: last ? writeCursor(TimelineKey, { at: last.micros, kind: last.kind, id: last.id }) : null,
    }
  })
}

/** The audited changes of entries by their ids, with the names of the people who made them. */
async function loadChanges(tx: Tx, ids: readonly string[]): Promise<Map<string, TimelineEntry['change']>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select a.id, a.action, a.object_name as "objectName", a.before, a.after,
      case when u.id is not null then ${personNameIn('u')} end as by
    from audit_entry a left join membership m on m.tenant_id = current_tenant() and m.id = a.actor_id
    left join "user" u on u.id = m.user_id
    where a.tenant_id = current_tenant() and a.id = any(${sql.param(ids)}::uuid[])`)
  const changes = rows.map((row) => parseStored(StoredChange, row))
  return new Map(changes.map(({ id, ...change }) => [id, change]))
}

/**
 * Invitations, emails of the school to the student's address, notes, and other entries of the audit log about the
 * student.
 */
function ownSources(studentId: string): SQL[] {
  const invitation = (column: 'created_at' | 'opened_at' | 'accepted_at', kind: string) =>
    sql`select ${sql.raw(column)} as at, id, ${kind}::text as kind, email as title, null::text as href from invitation
      where tenant_id = current_tenant() and student_id = ${studentId} and ${sql.raw(column)} is not null`
  return [
    invitation('created_at', 'invited'),
    invitation('opened_at', 'invitationOpened'),
    invitation('accepted_at', 'accepted'),
    sql`select m.created_at as at, m.id, 'emailed'::text as kind, m.subject as title, null::text as href from mail m
      where m.tenant_id = current_tenant() and m.status <> 'recalled' and m."to" =
        (select email from student where tenant_id = current_tenant() and id = ${studentId})`,
    sql`select created_at as at, id, 'noted'::text as kind, left(text, 120) as title,
        ${`/student/${studentId}?tab=notes`}::text as href from student_note
      where tenant_id = current_tenant() and student_id = ${studentId} and deleted_at is null`,
    sql`select created_at as at, id, 'changed'::text as kind, action as title, null::text as href from audit_entry
      where tenant_id = current_tenant() and object_id = ${studentId} and action not like 'invitation.%'`,
  ]
}
