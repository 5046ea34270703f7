import type { APIRoute } from 'astro'
import { csvResponse } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { exportRegistrations } from '#lib/registration/people/export.ts'

/** Everybody who registered for an event, as a file for a spreadsheet. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const text = await exportRegistrations(locals.actor, { workshopId: params.workshopId ?? '' })
  return csvResponse(text, 'registrations.csv')
}
