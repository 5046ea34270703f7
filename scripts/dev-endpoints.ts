import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AstroInlineConfig } from 'astro'
import type { Endpoint } from '#lib/core/http/server.ts'

type Plugins = NonNullable<NonNullable<AstroInlineConfig['vite']>['plugins']>

/** Serves the endpoints of the HTTP server in Astro's development server. */
export function endpointPlugins(endpoints: ReadonlyMap<string, Endpoint>): Plugins {
  const handle = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => {
    const endpoint = endpoints.get(/^\/[^/]+\/[^/]+\//.exec(request.url ?? '')?.[0] ?? '')
    if (!endpoint) return next()
    const headers = { 'x-content-type-options': 'nosniff' }
    const refuse = (status: number, code: string) => {
      request.resume()
      response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify({ code }))
    }
    endpoint(request, response, { headers, refuse, setBodyTimeout: () => {} }).catch(next)
  }
  return [{ name: 'endpoints', configureServer: ({ middlewares }) => void middlewares.use(handle) }]
}
