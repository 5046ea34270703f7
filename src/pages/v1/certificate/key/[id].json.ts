import type { APIRoute } from 'astro'
import { readPublicKey } from '#lib/certificate/badge/signing-key.ts'
import { schoolOfPage } from '../../../_school.ts'

/** A public key for verifying the badges of a school. */
export const GET: APIRoute = async ({ locals, params }) => {
  const school = await schoolOfPage(locals)
  const key = await readPublicKey(school.id, params.id ?? '')
  return Response.json(key, {
    headers: { 'cache-control': 'public, max-age=86400', 'access-control-allow-origin': '*' },
  })
}
