import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { unsubscribe } from '#lib/notification/settings/unsubscribe.ts'

/** One-click unsubscription of mail programs (RFC 8058) from the topics of an email. */
export const POST: APIRoute = async ({ locals, params }) => {
  if (!locals.school) throw new Refusal('not_found')
  await unsubscribe({ tenantId: locals.school.id, token: params.token ?? '' })
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
