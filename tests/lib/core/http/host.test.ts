import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findOwnHost, parseHost } from '#lib/core/access/host.ts'
import { findRoute, type Route } from '#lib/core/access/routes.ts'

const BASE = 'kafedra.test'
const staff = { accountType: 'ACCOUNT_TYPE_TEAM_MEMBER', subdomain: 'demo' } as const
const student = { accountType: 'ACCOUNT_TYPE_STUDENT', subdomain: 'demo' } as const
const host = (name: string) => parseHost(name, BASE)
const route = (path: string): Route => findRoute(path) ?? expect.fail(`no route ${path}`)

describe('the host', () => {
  test.each([
    ['kafedra.test', { kind: 'base' }],
    ['KAFEDRA.test:4321', { kind: 'base' }],
    ['go.kafedra.test', { kind: 'go' }],
    ['demo.kafedra.test:80', { kind: 'school', subdomain: 'demo' }],
    ['a.b.kafedra.test', { kind: 'unknown' }],
    ['evilkafedra.test', { kind: 'unknown' }],
    ['kafedra.test.evil.com', { kind: 'unknown' }],
    ['demo_x.kafedra.test', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
    ['localhost:4321', { kind: 'machine' }],
    ['127.0.0.1', { kind: 'machine' }],
  ])('%s', (name, expected) => expect(parseHost(name, BASE)).toEqual(expected))

  test('is never a known one when the name is forged', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const parsed = parseHost(name, BASE)
        if (parsed.kind === 'school') expect(parsed.subdomain).toMatch(/^[a-z0-9-]{1,63}$/)
        if (parsed.kind === 'base' || parsed.kind === 'go') expect(name.toLowerCase()).toContain(BASE)
      }),
    )
  })
})

describe('the redirect to the right host', () => {
  test('sends staff to their own subdomain with path and query', () => {
    const there = { subdomain: 'demo', path: '/courses?status=draft' }
    for (const name of ['kafedra.test', 'go.kafedra.test', 'sonata.kafedra.test']) {
      expect(findOwnHost(staff, host(name), route('/courses'), '/courses?status=draft')).toEqual(there)
    }
    expect(findOwnHost(staff, host('demo.kafedra.test'), route('/courses'), '/courses')).toBeNull()
  })

  test('sends students to the student subdomain', () => {
    const there = { subdomain: 'go', path: '/course/view/1' }
    expect(findOwnHost(student, host('demo.kafedra.test'), route('/course/view/1'), '/course/view/1')).toEqual(there)
    expect(findOwnHost(student, host('go.kafedra.test'), route('/profile'), '/profile')).toBeNull()
  })

  test('sends everybody from the landing page to their home', () => {
    expect(findOwnHost(staff, host(BASE), route('/'), '/')).toEqual({ subdomain: 'demo', path: '/' })
    expect(findOwnHost(student, host(BASE), route('/'), '/')).toEqual({ subdomain: 'go', path: '/profile' })
  })

  test('leaves public pages on every host', () => {
    expect(findOwnHost(staff, host('sonata.kafedra.test'), route('/roadmap/1'), '/roadmap/1')).toBeNull()
  })
})
