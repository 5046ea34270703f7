import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ProviderRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface ProviderReply {
  status?: number
  json?: unknown
  /** The connection is cut without an answer. */
  isCut?: boolean
}

export interface ProviderServer {
  requests: ProviderRequest[]
  stop(): Promise<void>
}

/**
 * A simulator of a provider. Requests of this process to `origin` reach it over HTTP; other addresses are
 * reached as before.
 */
export async function startProviderServer(
  origin: string,
  answer: (request: ProviderRequest) => ProviderReply,
): Promise<ProviderServer> {
  const requests: ProviderRequest[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const received: ProviderRequest = {
      method: request.method ?? 'GET',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: await text(request),
    }
    requests.push(received)
    const { status = 200, json = {}, isCut = false } = answer(received)
    if (isCut) request.socket.destroy()
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const realFetch = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    return url.origin === origin
      ? realFetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, init)
      : realFetch(input, init)
  }
  return {
    requests,
    stop: async () => {
      globalThis.fetch = realFetch
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
