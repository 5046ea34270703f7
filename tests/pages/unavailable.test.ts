import type { APIContext } from 'astro'
import { expect, test, vi } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { pool } from '#lib/core/db/db.ts'
import { onRequest } from '../../src/middleware.ts'

/** A request of a signed-in browser while no connection to the database can be opened. */
async function visit(path: string): Promise<Response> {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  vi.spyOn(pool, 'connect').mockRejectedValue(refused as never)
  const url = new URL(path, `http://demo.${config.baseDomain}`)
  const request = new Request(url, { headers: { host: url.host, cookie: `token=${'a'.repeat(43)}; locale=en` } })
  const context = {
    url,
    request,
    locals: {},
    clientAddress: '192.0.2.1',
    routePattern: url.pathname,
    cookies: { get: (name: string) => (name === 'locale' ? { value: 'en' } : undefined) },
    rewrite: async (page: Request) => new Response(`page ${new URL(page.url).pathname}`),
  }
  return onRequest(context as never as APIContext, async () => new Response('rendered'))
}

test('a page without the database is a page of the product with 503 and Retry-After', async () => {
  const response = await visit('/courses')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response.text()).toBe('page /500')
})

test('an endpoint without the database responds with JSON, 503 and Retry-After', async () => {
  const response = await visit('/v1/zip/a/b')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response.json()).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/^[A-Z]/) })
})
