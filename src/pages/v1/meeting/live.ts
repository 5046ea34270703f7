import { ServerResponse } from 'node:http'
import type { APIRoute } from 'astro'
import { openRoomStream } from '#lib/meeting/stream.ts'

export const prerender = false

/** The event stream of a room, for the holder of a seat token. */
export const GET: APIRoute = ({ request, locals }) => {
  // The HTTP server passes Node's response; the development server does not.
  const response: unknown = Reflect.get(locals, 'response')
  const own = response instanceof ServerResponse ? response : undefined
  return openRoomStream(request, { response: own, address: locals.address })
}
