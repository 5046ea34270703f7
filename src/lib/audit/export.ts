import { formatCsvInstant, formatCsvRows, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { recordAuditEntry } from './audit.ts'
import { type AuditEntryView, listAuditEntries, requireAuditReader } from './log.ts'
import type { AuditFilter, ListAudit } from './schema.ts'

const COLUMNS = ['at', 'actor', 'action', 'object', 'before', 'after', 'address'] as const
const PAGE_SIZE = 100

/**
 * The filtered audit log as a CSV file, written page by page, newest entry first. The export itself is audited. Refuses
 * with forbidden.
 */
export async function exportAuditLog(
  actor: Actor,
  filter: AuditFilter,
  t: Translate,
): Promise<ReadableStream<Uint8Array>> {
  requireAuditReader(actor)
  await inTenant(actor, (tx) =>
    recordAuditEntry(tx, actor, {
      action: 'audit.exported',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      after: Object.fromEntries(Object.entries(filter).filter(([, value]) => value)),
    }),
  )
  const lines = exportLines(actor, filter, t)
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

async function* exportLines(actor: Actor, filter: AuditFilter, t: Translate): AsyncGenerator<string> {
  yield writeCsv(
    COLUMNS.map((column) => t(`audit:column.${column}`)),
    [],
  )
  let cursor: ListAudit['cursor']
  do {
    const { items, next } = await listAuditEntries(actor, { ...filter, cursor, limit: PAGE_SIZE })
    yield formatCsvRows(items.map((entry) => toCells(entry, actor.tenantTimeZone, t)))
    cursor = next ?? undefined
  } while (cursor)
}

function toCells(entry: AuditEntryView, timeZone: string, t: Translate): string[] {
  return [
    formatCsvInstant(entry.at, timeZone),
    entry.actor?.name ?? '',
    t(`audit:action.${entry.action}`),
    entry.objectName,
    entry.before ? JSON.stringify(entry.before) : '',
    entry.after ? JSON.stringify(entry.after) : '',
    entry.address ?? '',
  ]
}
