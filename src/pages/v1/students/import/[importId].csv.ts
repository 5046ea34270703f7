import type { APIRoute } from 'astro'
import { createCsvResponse, writeCsv } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findMixedLetter } from '#lib/core/shared/text/email.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { listFailedRows } from '#lib/student/import/import.ts'
import { parseId } from '../../../_request/id-param.ts'

/** The rows that were not imported, or whose student got no access, in their original form, with their numbers and the reasons. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const { heading, rows } = await listFailedRows(actor, { importId: parseId(params.importId) })
  const width = Math.max(heading.length, ...rows.map(({ cells }) => cells.length))
  const titles = Array.from({ length: width }, (_, column) => heading[column] ?? '')
  const lines = rows.map(({ number, cells, reason, typedEmail }) => [
    ...titles.map((_, column) => cells[column] ?? ''),
    number,
    t(keyFrom(`student:import.reason.${reason}`), { ...findMixedLetter(typedEmail) }),
  ])
  const content = writeCsv([...titles, t('student:import.number'), t('student:exportColumn.reason')], lines)
  return createCsvResponse(content, 'students-not-imported.csv')
}
