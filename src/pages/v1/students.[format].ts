import type { APIRoute } from 'astro'
import { createCsvResponse } from '#lib/core/csv/csv.ts'
import { XLSX_TYPE } from '#lib/core/csv/xlsx.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { exportStudents } from '#lib/student/list/export.ts'
import { readListInput } from '../students/_list-query.ts'

/** The students of the list with the same query, as a file. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const { format } = params
  if (format !== 'csv' && format !== 'xlsx') throw new Refusal('not_found')
  const body = await exportStudents(actor, readListInput(url.searchParams), format, t)
  if (format === 'csv') return createCsvResponse(body, 'students.csv')
  return new Response(body, {
    headers: {
      'content-type': XLSX_TYPE,
      'content-disposition': 'attachment; filename="students.xlsx"',
      'cache-control': 'private, no-store',
    },
  })
}
