import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { signPicture } from '#lib/storage/signed-url.ts'

/**
 * An image in a text, for team members: texts store this URL, which redirects to a signed one. Students receive signed
 * URLs from the pages that check their access.
 */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  if (locals.actor.accountType === 'ACCOUNT_TYPE_STUDENT') throw new Refusal('not_found')
  const location = await signPicture(locals.actor, params.id ?? '')
  // Less than the validity of the signed URL.
  const headers = { location, 'cache-control': 'private, max-age=600', vary: 'cookie' }
  return new Response(null, { status: 302, headers })
}
