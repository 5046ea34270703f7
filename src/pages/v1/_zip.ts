import { once } from 'node:events'
import { ServerResponse } from 'node:http'

/** What may wait in the connection, in bytes: a slow line must not pull a whole archive into memory. */
const MOST_WAITING = 1_048_576

/**
 * A ZIP that is made while it is sent, as the answer to a download. `size` is its promised length in bytes, where it is
 * known.
 */
export function zipAnswer(
  locals: object,
  { name, size, body }: { name: string; size?: number; body: ReadableStream<Uint8Array> },
): Response {
  // The front passes node's own answer along; the development server has none.
  const response: unknown = Reflect.get(locals, 'response')
  const headers = {
    'content-type': 'application/zip',
    ...(size === undefined ? {} : { 'content-length': String(size) }),
    'content-disposition': `attachment; filename="files.zip"; filename*=UTF-8''${encoded(name)}`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-site',
  }
  return new Response(response instanceof ServerResponse ? inStep(body, response) : body, { headers })
}

// RFC 8187: what encodeURIComponent leaves and the header's grammar does not.
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Reads on only when the connection has accepted the previous chunk; the renderer itself does not wait for that. */
function inStep(body: ReadableStream<Uint8Array>, response: ServerResponse): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        while (response.writableLength > MOST_WAITING && !response.destroyed) {
          await Promise.race([once(response, 'drain'), once(response, 'close')])
        }
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
