import type { APIRoute } from 'astro'
import { signBadgeStatus } from '#lib/certificate/badge/badge.ts'
import { schoolOfPage } from '../../../_school.ts'

/** The signed status list of a badge (W3C Bitstring Status List): whether its certificate was revoked or replaced. */
export const GET: APIRoute = async ({ locals, params }) => {
  const token = await signBadgeStatus(await schoolOfPage(locals), params.publicId ?? '')
  const headers = {
    'content-type': 'application/vc+jwt',
    'cache-control': 'private, no-cache',
    'access-control-allow-origin': '*',
  }
  return new Response(token, { headers })
}
