import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { readItemFile } from '#lib/schedule/calendar-entry.ts'
import { readItemKey } from '../../schedule/_schedule-query.ts'

/** The calendar file of an item of the schedule: `day=2026-11-24&item=webinar:<id>`. */
export const GET: APIRoute = async ({ locals, url }) => {
  const { actor } = locals
  if (!actor) throw new Refusal('unauthorized')
  const key = readItemKey(url.searchParams)
  if (!key) throw new Refusal('not_found')
  return new Response(await readItemFile(actor, key), {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="event.ics"',
      'cache-control': 'private, no-store',
    },
  })
}
