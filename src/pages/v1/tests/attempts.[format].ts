import type { APIRoute } from 'astro'
import { createCsvResponse } from '#lib/core/csv/csv.ts'
import { XLSX_TYPE } from '#lib/core/csv/xlsx.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { exportAttempts } from '#lib/quiz/attempt-list/export-attempts.ts'
import { readAttemptFilter } from '../../course/_quiz/results/attempt-filter.ts'

/** The attempts of the list with the same query, as a file. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const { format } = params
  if (format !== 'csv' && format !== 'xlsx') throw new Refusal('not_found')
  const body = await exportAttempts(actor, readAttemptFilter(url.searchParams), format, t)
  if (format === 'csv') return createCsvResponse(body, 'attempts.csv')
  return new Response(body, {
    headers: {
      'content-type': XLSX_TYPE,
      'content-disposition': 'attachment; filename="attempts.xlsx"',
      'cache-control': 'private, no-store',
    },
  })
}
