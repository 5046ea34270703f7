import { ServerResponse } from 'node:http'
import type { APIRoute } from 'astro'
import { handleLiveRequest } from '#lib/core/live/endpoint.ts'
import { channels } from '#lib/live.ts'

export const prerender = false

export const GET: APIRoute = ({ request, locals }) => {
  // The HTTP server passes Node's response; the development server does not.
  const response: unknown = Reflect.get(locals, 'response')
  const own = response instanceof ServerResponse ? response : undefined
  return handleLiveRequest(request, locals.actor, channels, { response: own, address: locals.address })
}
