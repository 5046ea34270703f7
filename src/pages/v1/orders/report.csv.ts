import type { APIRoute } from 'astro'
import { createCsvResponse } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { exportSalesReport } from '#lib/offer/report/export.ts'
import { SalesReportInput } from '#lib/offer/report/schema.ts'

/** The sales report of the year until `?until=2026-11` as CSV. */
export const GET: APIRoute = async ({ locals, url }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const input = SalesReportInput.safeParse({ until: url.searchParams.get('until') ?? undefined })
  if (!input.success) throw new Refusal('not_found')
  return createCsvResponse(await exportSalesReport(actor, input.data, t), 'sales.csv')
}
