import type { APIRoute } from 'astro'
import { createCsvResponse, writeCsv } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { listOutcomes } from '#lib/student/bulk/bulk.ts'
import { parseId } from '../../_request/id-param.ts'

/** The outcomes of a bulk action by student, as a file. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const rows = await listOutcomes(actor, { jobId: parseId(params.jobId) })
  const heading = ['email', 'name', 'outcome', 'reason'].map((column) => t(keyFrom(`student:exportColumn.${column}`)))
  const cells = rows.map(({ email, name, outcome, reason }) => [
    email,
    name,
    outcome ? t(keyFrom(`student:outcome.${outcome}`)) : '',
    reason ? t(keyFrom(`student:reason.${reason}`)) : '',
  ])
  return createCsvResponse(writeCsv(heading, cells), 'students-result.csv')
}
