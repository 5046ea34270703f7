import type { APIRoute } from 'astro'
import { countView } from '#lib/roadmap/public.ts'
import { isId } from '../../../_request/id-param.ts'

// A GIF89a with one transparent pixel, which counts views of pages without a script.
const DOT = Uint8Array.from(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))

/** Counts a visitor once in half an hour. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { school, actor } = locals
  if (school && !actor && params.id && isId(params.id)) await countView(school.id, params.id)
  return new Response(DOT, { headers: { 'content-type': 'image/gif', 'cache-control': 'private, max-age=1800' } })
}
