import { once } from 'node:events'
import { ServerResponse } from 'node:http'

/**
 * Maximum number of bytes waiting in the connection, so that an archive for a slow client is not buffered in memory.
 */
const MOST_WAITING = 1_048_576

/** A response with a ZIP that is created while it is sent. `size` is its length in bytes, if known. */
export function zipAnswer(
  locals: object,
  { name, size, body }: { name: string; size?: number; body: ReadableStream<Uint8Array> },
): Response {
  // The HTTP server passes Node's response; the development server does not.
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

// RFC 8187: characters that encodeURIComponent leaves but the header's grammar does not allow.
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Reads the next chunk only when the connection has accepted the previous one, because the renderer does not apply
 * backpressure.
 */
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
