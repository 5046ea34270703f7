import type { APIRoute } from 'astro'
import { router } from '#lib/api.ts'
import { answerCall } from '#lib/core/http/door.ts'
import { apiDocument } from '#lib/core/http/openapi.ts'

/** The one API door: /v1/module/<room>/<action>, and its description. The reference is v1/docs.astro. */
export const ALL: APIRoute = async (context) => {
  const described = context.request.method === 'GET' && context.params.path === 'openapi.json'
  return described ? Response.json(await apiDocument(router)) : answerCall(router, context)
}
