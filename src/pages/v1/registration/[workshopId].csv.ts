import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { exportRegistrations } from '#lib/registration/registration.ts'

/** Everybody who registered for an event, as a file for a spreadsheet. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const text = await exportRegistrations(locals.actor, { workshopId: params.workshopId ?? '' })
  return new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="registrations.csv"',
      'cache-control': 'no-store',
    },
  })
}
