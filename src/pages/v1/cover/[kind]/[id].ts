import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { readPublicCover } from '#lib/course/lesson/pictures.ts'
import { readInvitation } from '#lib/registration/invitation.ts'
import { parseId } from '../../../_request/id-param.ts'

/**
 * The cover of a published course or event, for previews of links: a stable address that redirects to a signed one. The
 * school is that of the host.
 */
export const GET: APIRoute = async ({ locals: { school }, params }) => {
  if (!school) throw new Refusal('not_found')
  const location = await findCover(school.id, params.kind ?? '', parseId(params.id))
  if (!location) throw new Refusal('not_found')
  // Less than the validity of the signed URL.
  const headers = { location, 'cache-control': 'public, max-age=600' }
  return new Response(null, { status: 302, headers })
}

async function findCover(tenantId: string, kind: string, id: string): Promise<string | undefined> {
  if (kind === 'course') return (await readPublicCover(tenantId, id))?.src
  if (kind === 'event') return (await readInvitation(tenantId, null, { workshopId: id })).cover?.src
  return undefined
}
