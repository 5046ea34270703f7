import type { APIRoute } from 'astro'
import { createCsvResponse } from '#lib/core/csv/csv.ts'
import { XLSX_TYPE } from '#lib/core/csv/xlsx.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { exportOrders } from '#lib/offer/order/export.ts'
import { readOrderQuery } from '../orders/_order-query.ts'

/** The orders of the list with the same query, as a file. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const { format } = params
  if (format !== 'csv' && format !== 'xlsx') throw new Refusal('not_found')
  const body = await exportOrders(actor, readOrderQuery(url.searchParams, actor.tenantTimeZone), format, t)
  if (format === 'csv') return createCsvResponse(body, 'orders.csv')
  return new Response(body, {
    headers: {
      'content-type': XLSX_TYPE,
      'content-disposition': 'attachment; filename="orders.xlsx"',
      'cache-control': 'private, no-store',
    },
  })
}
