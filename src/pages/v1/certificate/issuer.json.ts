import type { APIRoute } from 'astro'
import { issuerProfile } from '#lib/certificate/badge/badge.ts'
import { schoolOfPage } from '../../_school.ts'

/** The school as the issuer of badges (Open Badges 3.0). */
export const GET: APIRoute = async ({ locals }) => {
  const profile = issuerProfile(await schoolOfPage(locals))
  return Response.json(profile, {
    headers: { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' },
  })
}
