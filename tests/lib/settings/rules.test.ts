import { describe, expect, test } from 'vitest'
import { ROLES } from '#lib/core/shared/role.ts'
import { canManageSettings, nextDomainState } from '#lib/settings/rules.ts'
import { CustomDomain, UpdateSchool } from '#lib/settings/schema.ts'

test.each(ROLES)('the settings are for the owner and the director: %s', (role) => {
  expect(canManageSettings({ roles: [role] }).allow).toBe(role === 'OWNER' || role === 'DIRECTOR')
})

describe('the state of a domain', () => {
  const pending = { status: 'pending' as const, failedChecks: 0 }
  const active = { status: 'active' as const, failedChecks: 0 }

  test('is active when all records are right, whatever it was', () => {
    expect(nextDomainState({ status: 'failed', failedChecks: 9 }, null)).toEqual(active)
  })

  test('is verified when the domain is controlled and does not point here', () => {
    expect(nextDomainState(pending, 'address_wrong').status).toBe('verified')
    expect(nextDomainState(pending, 'txt_missing').status).toBe('pending')
  })

  test('stays active for two failed checks and fails with the third', () => {
    const once = nextDomainState(active, 'txt_missing')
    const twice = nextDomainState(once, 'address_wrong')
    expect([once.status, twice.status]).toEqual(['active', 'active'])
    expect(nextDomainState(twice, 'txt_missing').status).toBe('failed')
  })

  test('does not change while the name servers do not answer', () => {
    expect(nextDomainState(active, 'dns_unavailable')).toEqual(active)
  })
})

describe('a custom domain', () => {
  test.each([
    ['School.Example.com', 'school.example.com'],
    [' https://school.example.com/ ', 'school.example.com'],
    ['школа.укр', 'xn--80atdl2c.xn--j1amh'],
  ])('%j is accepted as %s', (text, domain) => {
    expect(CustomDomain.parse(text)).toBe(domain)
  })

  test.each(['', 'localhost', '127.0.0.1', 'a.b:8080', 'user@a.test', 'a.test/path', '-a.test', 'a b.test', '[::1]'])(
    '%j is refused',
    (text) => {
      expect(CustomDomain.safeParse(text).success).toBe(false)
    },
  )
})

test('a color is six hexadecimal digits, or empty for the color of the product', () => {
  const school = { revision: 1, name: 'Школа', locale: 'uk', timeZone: 'Europe/Kyiv' }
  expect(UpdateSchool.parse({ ...school, primaryColor: '#ABCDEF' }).primaryColor).toBe('#abcdef')
  expect(UpdateSchool.parse({ ...school, primaryColor: '' }).primaryColor).toBeNull()
  for (const primaryColor of ['red', '#abc', '#12345g', 'url(x)']) {
    expect(UpdateSchool.safeParse({ ...school, primaryColor }).success).toBe(false)
  }
  expect(UpdateSchool.safeParse({ ...school, primaryColor: '', timeZone: 'Mars/Base' }).success).toBe(false)
})
