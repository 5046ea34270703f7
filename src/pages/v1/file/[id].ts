import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { signPicture } from '#lib/storage/signed-url.ts'

/**
 * A picture of a text, for those who work in the school: what a text keeps is this address, and it leads on to a signed
 * one. Students are given signed addresses by the pages that know what they may see.
 */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  if (locals.actor.accountType === 'ACCOUNT_TYPE_STUDENT') throw new Refusal('not_found')
  const location = await signPicture(locals.actor, params.id ?? '')
  // Shorter than the address that it leads to is good for.
  const headers = { location, 'cache-control': 'private, max-age=600', vary: 'cookie' }
  return new Response(null, { status: 302, headers })
}
