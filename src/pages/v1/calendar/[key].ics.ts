import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { readCalendarFile } from '#lib/registration/calendar.ts'

/** The calendar file of an event, by its id, or of a registration, by the key of its link. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { school, actor } = locals
  const tenantId = school?.id ?? actor?.tenantId
  if (!tenantId) throw new Refusal('not_found')
  const { text, method } = await readCalendarFile(tenantId, params.key ?? '')
  return new Response(text, {
    headers: {
      'content-type': `text/calendar; charset=utf-8; method=${method}`,
      'content-disposition': 'attachment; filename="event.ics"',
      'cache-control': 'no-store',
    },
  })
}
