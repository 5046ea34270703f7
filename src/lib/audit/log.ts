import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership, user } from '#lib/user/table.ts'
import { canReadAuditLog } from './rules.ts'
import type { AuditAction, ListAudit } from './schema.ts'
import { auditEntry } from './table.ts'
import type { AuditValues } from './values-schema.ts'

export interface AuditEntryView {
  id: string
  at: Date
  action: AuditAction
  /** Null: the system. */
  actor: { id: string; name: string } | null
  address: string | null
  objectId: string
  objectName: string
  before: AuditValues | null
  after: AuditValues | null
}

/** Entries of the tenant's audit log, the newest first. Refuses with forbidden, invalid (cursor). */
export async function listAuditEntries(
  actor: Actor,
  input: ListAudit,
): Promise<{ items: AuditEntryView[]; next: string | null }> {
  requireAuditReader(actor)
  const { cursor, limit, ...filter } = input
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    const rows = await selectEntries(tx, actor, filter, { after, limit: limit + 1 })
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return { items: rows.slice(0, limit).map(toEntryView), next: last ? writeCursor(InstantKey, last.key) : null }
  })
}

/** Refuses with forbidden an actor who may not read the audit log. */
export function requireAuditReader(actor: Actor): void {
  const verdict = canReadAuditLog(actor)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

type ParsedFilter = Omit<ReturnType<typeof ListAudit.parse>, 'cursor' | 'limit'>

async function selectEntries(
  tx: Tx,
  actor: Actor,
  filter: ParsedFilter,
  page: { after: InstantKey | null; limit: number },
) {
  const rows = await tx
    .select({
      id: auditEntry.id,
      at: auditEntry.createdAt,
      micros: microsecondsOf(auditEntry.createdAt),
      action: auditEntry.action,
      actorId: auditEntry.actorId,
      actorName: sql<string | null>`${personName(user)}`,
      address: auditEntry.address,
      objectId: auditEntry.objectId,
      objectName: auditEntry.objectName,
      before: auditEntry.before,
      after: auditEntry.after,
    })
    .from(auditEntry)
    .leftJoin(membership, and(eq(membership.tenantId, auditEntry.tenantId), eq(membership.id, auditEntry.actorId)))
    .leftJoin(user, eq(user.id, membership.userId))
    .where(
      and(eq(auditEntry.tenantId, actor.tenantId), matchesFilter(filter, actor.tenantTimeZone), isOlder(page.after)),
    )
    .orderBy(desc(auditEntry.createdAt), desc(auditEntry.id))
    .limit(page.limit)
  return rows.map(({ micros, ...row }) => ({ ...row, key: { at: micros, id: row.id } }))
}

function matchesFilter({ action, actorId, objectId, from, to, search }: ParsedFilter, timeZone: string) {
  const startOf = (day: string, days: number): SQL =>
    sql`((${day}::date + ${days}::int)::timestamp at time zone ${timeZone})`
  return and(
    action ? eq(auditEntry.action, action) : undefined,
    actorId ? eq(auditEntry.actorId, actorId) : undefined,
    objectId ? eq(auditEntry.objectId, objectId) : undefined,
    from ? sql`${auditEntry.createdAt} >= ${startOf(from, 0)}` : undefined,
    to ? sql`${auditEntry.createdAt} < ${startOf(to, 1)}` : undefined,
    matchesSearch(search, auditEntry.objectName),
  )
}

function isOlder(after: InstantKey | null): SQL | undefined {
  if (!after) return undefined
  return sql`(${auditEntry.createdAt}, ${auditEntry.id}) <
    ${rowOfKey(after)}`
}

type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number]

function toEntryView({ key: _, actorId, actorName, ...row }: EntryRow): AuditEntryView {
  return { ...row, actor: actorId && actorName ? { id: actorId, name: actorName } : null }
}
