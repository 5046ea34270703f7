import type { APIContext } from 'astro'
import { expect, test } from 'vitest'
import { findRoute } from '#lib/core/access/routes.ts'
import { guardRoute } from '#lib/core/http/route-guard.ts'

const school = { id: 'x', name: 'Школа', subdomain: 'present' }

function guard(path: string, host: object, method = 'GET'): Response | null {
  const url = new URL(path, 'http://school.test')
  const locals = { host, school, actor: null, route: findRoute(url.pathname), address: '10.0.0.1' }
  return guardRoute({ locals, url, request: new Request(url, { method }) } as never as APIContext)
}

test.each(['/login', '/invite-accept?student=a&tenant=b', '/v1/module/user/login'])(
  'a former subdomain redirects %s to the present one and keeps the method',
  (path) => {
    const response = guard(path, { kind: 'school', subdomain: 'former' }, 'POST')
    expect(response?.status).toBe(308)
    expect(response?.headers.get('location')).toBe(`http://present.kafedra.localhost:4321${path}`)
  },
)

test('the present subdomain is not redirected', () => {
  expect(guard('/login', { kind: 'school', subdomain: 'present' })).toBeNull()
})

test.each(['/workshops/register/1', '/masterclass/1', '/roadmap/1', '/v1/module/registration/register'])(
  'a custom domain serves %s',
  (path) => {
    expect(guard(path, { kind: 'custom', subdomain: 'present' })).toBeNull()
  },
)

test.each(['/', '/login', '/register', '/courses', '/meeting/join/1', '/profile', '/nothing'])(
  'a custom domain redirects %s to the school, because nobody can be signed in there',
  (path) => {
    const response = guard(path, { kind: 'custom', subdomain: 'present' })
    expect(response?.headers.get('location')).toBe(`http://present.kafedra.localhost:4321${path}`)
  },
)
