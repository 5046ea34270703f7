import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AstroInlineConfig } from 'astro'
import type { Endpoint } from '#lib/core/http/server.ts'

type Plugins = NonNullable<NonNullable<AstroInlineConfig['vite']>['plugins']>

/** The front's doors before the development server, which has no front. */
export function doorPlugins(doors: ReadonlyMap<string, Endpoint>): Plugins {
  const answer = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => {
    const door = doors.get(/^\/[^/]+\/[^/]+\//.exec(request.url ?? '')?.[0] ?? '')
    if (!door) return next()
    const headers = { 'x-content-type-options': 'nosniff' }
    const refuse = (status: number, code: string) => {
      request.resume()
      response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify({ code }))
    }
    door(request, response, { headers, refuse, setBodyTimeout: () => {} }).catch(next)
  }
  return [{ name: 'doors', configureServer: ({ middlewares }) => void middlewares.use(answer) }]
}
