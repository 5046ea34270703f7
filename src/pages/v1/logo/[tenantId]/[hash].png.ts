import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { readLogo } from '#lib/settings/logo.ts'

/** The logo of a school. The URL contains the hash of the image, so it can be cached permanently. */
export const GET: APIRoute = async ({ params: { tenantId = '', hash = '' } }) => {
  const image = UUID_PATTERN.test(tenantId) && /^[0-9a-f]{64}$/.test(hash) ? await readLogo(tenantId, hash) : null
  if (!image) throw new Refusal('not_found')
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
  return new Response(Uint8Array.from(image), { headers })
}
