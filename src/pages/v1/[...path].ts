import type { APIRoute } from 'astro'
import { router } from '#lib/api.ts'
import { handleApiRequest } from '#lib/core/http/api/handler.ts'

/** The API endpoint: /v1/module/<module>/<action>, and its description. The reference is v1/docs.astro. */
export const ALL: APIRoute = async (context) => {
  const described = context.request.method === 'GET' && context.params.path === 'openapi.json'
  if (!described) return handleApiRequest(router, context)
  const { getApiDocument } = await import('#lib/core/http/api/openapi.ts')
  return Response.json(await getApiDocument(router))
}
