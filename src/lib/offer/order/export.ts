import { sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { formatCsvInstant } from '#lib/core/csv/csv.ts'
import { type TableFormat, type TableRow, writeTableFile } from '#lib/core/csv/table-file.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { readAllPages } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { listOrderPage } from './list.ts'
import type { OrderFilter } from './order-schema.ts'
import { requireOrderReader } from './permission.ts'

const COLUMNS = [
  'number',
  'state',
  'buyer',
  'email',
  'phone',
  'course',
  'offer',
  'amount',
  'paid',
  'refunded',
  'currency',
  'test',
  'created',
  'paidAt',
] as const
const PAGE_SIZE = 200
const MINOR_UNITS = 100

/**
 * The orders that a filter selects, in the order of the list, as a file that is written page by page. Amounts are in
 * major units. Experts get the orders of their courses. The export is audited. Refuses with forbidden.
 */
export async function exportOrders(
  actor: Actor,
  filter: OrderFilter,
  format: TableFormat,
  t: Translate,
): Promise<ReadableStream<Uint8Array>> {
  requireOrderReader(actor)
  await recordExport(actor, filter, format)
  const heading = COLUMNS.map((column) => t(`order:export.${column}`))
  return writeTableFile(format, heading, readOrderRows(actor, filter, t))
}

async function* readOrderRows(actor: Actor, filter: OrderFilter, t: Translate): AsyncGenerator<TableRow[]> {
  const zone = actor.tenantTimeZone
  const pages = readAllPages((cursor) => listOrderPage(actor, { ...filter, cursor, limit: PAGE_SIZE }))
  for await (const items of pages) {
    yield items.map((order) => [
      order.number,
      t(`order:state.${order.state}`),
      order.buyerName,
      order.email,
      order.phone,
      order.course,
      order.offer,
      order.amount / MINOR_UNITS,
      order.paidAmount / MINOR_UNITS,
      order.refundedAmount / MINOR_UNITS,
      order.currency,
      order.isTest ? t('checkout:test') : '',
      formatCsvInstant(order.createdAt, zone),
      formatCsvInstant(order.paidAt, zone),
    ])
  }
}

/** Records who exported which orders: only the filters that were set, with the title of the course in place of its id. */
function recordExport(actor: Actor, filter: OrderFilter, format: TableFormat): Promise<void> {
  const { q, state, from, to, courseId } = filter
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<{ title: string | null }>(
      sql`select (select title from course where tenant_id = current_tenant() and id = ${courseId ?? null}::uuid) as title`,
    )
    const values: AuditValues = { format, q, state, from, to, course: rows[0]?.title ?? null }
    await recordAuditEntry(tx, actor, {
      action: 'order.exported',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      after: Object.fromEntries(Object.entries(values).filter(([, value]) => value)),
    })
  })
}
