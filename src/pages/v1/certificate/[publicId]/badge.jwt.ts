import type { APIRoute } from 'astro'
import { signBadge } from '#lib/certificate/badge/badge.ts'
import { schoolOfPage } from '../../../_school.ts'

/** The signed Open Badges 3.0 credential of a certificate. */
export const GET: APIRoute = async ({ locals, params }) => {
  const token = await signBadge(await schoolOfPage(locals), params.publicId ?? '')
  const headers = {
    'content-type': 'application/jwt',
    'content-disposition': 'attachment; filename="badge.jwt"',
    'cache-control': 'private, no-cache',
    'access-control-allow-origin': '*',
  }
  return new Response(token, { headers })
}
