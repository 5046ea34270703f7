import type { APIRoute } from 'astro'
import { createCsvResponse } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { exportRegistrations } from '#lib/registration/registrants/export.ts'
import { parseId } from '../../_request/id-param.ts'

/** The registrations of an event as a CSV file. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const text = await exportRegistrations(locals.actor, { workshopId: parseId(params.workshopId) })
  return createCsvResponse(text, 'registrations.csv')
}
