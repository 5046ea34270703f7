import { recordAuditEntry } from '#lib/audit/audit.ts'
import { writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { readSalesReport } from './report.ts'
import type { SalesReportInput } from './schema.ts'

const MINOR_UNITS = 100

/** The report as CSV, amounts in major units. The export is audited. Refuses with forbidden. */
export async function exportSalesReport(actor: Actor, input: SalesReportInput, t: Translate): Promise<string> {
  const report = await readSalesReport(actor, input)
  const heading = ['part', 'name', 'currency', 'payments', 'received', 'refunded', 'revenue'] as const
  const rows = report.currencies.flatMap(({ currency, months, offers, sources, coupons }) =>
    [
      ...months.map((row) => ({ ...row, part: t('order:report.months'), name: row.month })),
      ...offers.map((row) => ({ ...row, part: t('order:report.offers'), name: `${row.course}: ${row.name}` })),
      ...sources.map((row) => ({
        ...row,
        part: t('order:report.sources'),
        name: row.name || t('order:report.noSource'),
      })),
      ...coupons.map((row) => ({ ...row, part: t('order:report.coupons') })),
    ].map(({ part, name, paymentCount, received, refunded }) => [
      report.isTest ? `${part} (${t('checkout:test')})` : part,
      name,
      currency,
      paymentCount,
      received / MINOR_UNITS,
      refunded / MINOR_UNITS,
      (received - refunded) / MINOR_UNITS,
    ]),
  )
  await inTenant(actor, (tx) =>
    recordAuditEntry(tx, actor, {
      action: 'order.exported',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      after: { format: 'csv', from: report.first, to: report.last },
    }),
  )
  return writeCsv(
    heading.map((column) => t(`order:report.column.${column}`)),
    rows,
  )
}
