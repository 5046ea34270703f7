import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { stopReminders } from '#lib/registration/own-registration.ts'

/**
 * One-click unsubscription of mail programs (RFC 8058) from the reminders of an event. The response for an unknown key
 * is the same.
 */
export const POST: APIRoute = async ({ locals, params }) => {
  if (!locals.school) throw new Refusal('not_found')
  await stopReminders(locals.school.id, params.key ?? '')
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
