import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countRoadmapCall, readRoadmap } from '#lib/roadmap/public.ts'
import { parseId } from '../../../_request/id-param.ts'

/** Redirects from a road map to its call to action and counts the click. */
export const GET: APIRoute = async ({ locals, params, redirect }) => {
  const { school, actor } = locals
  const tenantId = school?.id ?? actor?.tenantId
  if (!tenantId) throw new Refusal('not_found')
  const { id, callToAct } = await readRoadmap(tenantId, actor, { roadmapId: parseId(params.id) })
  if (!callToAct) throw new Refusal('not_found')
  if (!actor) await countRoadmapCall(tenantId, id)
  return redirect(callToAct.href, 302)
}
