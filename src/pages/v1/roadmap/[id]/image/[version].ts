import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { drawRoadmap } from '#lib/roadmap/picture.ts'
import { readRoadmap } from '#lib/roadmap/public.ts'
import { parseId } from '../../../../_request/id-param.ts'

/** The preview image of a road map for social networks. The URL contains its version, so that it can be cached. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { school } = locals
  if (!school) throw new Refusal('not_found')
  const map = await readRoadmap(school.id, null, { roadmapId: parseId(params.id) })
  const drawn = await drawRoadmap({ title: map.title, school: school.name, stages: map.stages })
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400, s-maxage=3600' }
  return new Response(Uint8Array.from(drawn), { headers })
}
