import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { stopReminders } from '#lib/registration/own-registration.ts'

/** The one click of mail programs (RFC 8058): no more reminders of this event. An unknown key is answered alike. */
export const POST: APIRoute = async ({ locals, params }) => {
  if (!locals.school) throw new Refusal('not_found')
  await stopReminders(locals.school.id, params.key ?? '')
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
