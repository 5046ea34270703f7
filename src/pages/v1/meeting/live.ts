import { ServerResponse } from 'node:http'
import type { APIRoute } from 'astro'
import { openRoomStream } from '#lib/meeting/stream.ts'

export const prerender = false

/** The stream of a room, for whoever holds its seat token. */
export const GET: APIRoute = ({ request, locals }) => {
  // The front passes node's own answer along; the development server has none.
  const response: unknown = Reflect.get(locals, 'response')
  const own = response instanceof ServerResponse ? response : undefined
  return openRoomStream(request, { response: own, address: locals.address })
}
