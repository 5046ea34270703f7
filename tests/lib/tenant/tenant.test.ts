import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTenant, findSubdomain, findTenant, getTenant, suggestSubdomains } from '#lib/tenant/tenant.ts'
import { registerUser } from '#lib/user/sign-up.ts'

const caller = { address: '10.1.0.1', userAgent: 'tests', locale: 'uk' } as const

test('creates a school that is found by its host', async () => {
  const { id } = await createTenant({ subdomain: 'mriia', name: 'Мрія' })
  expect(await findTenant('mriia')).toMatchObject({ id, name: 'Мрія', locale: 'uk', timeZone: 'Europe/Kyiv' })
  expect(await getTenant(id)).toMatchObject({ subdomain: 'mriia' })
  expect(await findTenant('nobody')).toBeNull()
  await expect(getTenant(randomUUID())).rejects.toMatchObject({ code: 'not_found' })
})

test('refuses a subdomain that is taken, reserved or malformed, also when two ask at once', async () => {
  const attempts = ['admin', 'x', 'Мрія'].map((subdomain) => createTenant({ subdomain, name: 'Друга' }))
  for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'unprocessable' })
  const both = [1, 2].map(() => createTenant({ subdomain: 'twice', name: 'Двічі' }))
  const settled = await Promise.allSettled(both)
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('reports whether a subdomain is free, why not, and an alternative', async () => {
  expect(await findSubdomain({ subdomain: 'Vilna ' })).toEqual({ subdomain: 'vilna', available: true, suggestions: [] })
  const suggestion = await findSubdomain({ subdomain: 'mriia', organisation: 'Школа Мрія' })
  expect(suggestion).toMatchObject({ available: false, reason: 'subdomain_taken' })
  expect(suggestion.suggestions).toEqual(['mriia-school', 'mriia-online', 'mriia-study'])
  expect(await findSubdomain({ subdomain: 'api' })).toMatchObject({ reason: 'subdomain_reserved' })
  expect(await findSubdomain({ subdomain: '', organisation: 'Соната' })).toMatchObject({
    reason: 'subdomain_format',
    suggestions: ['sonata', 'sonata-school', 'sonata-online'],
  })
})

test('a pending sign-up reserves its subdomain', async () => {
  await registerUser(
    {
      email: 'hold@test.ua',
      password: 'Probna-2026!',
      organisation: 'Тримаю',
      subdomain: 'trymaiu',
      firstName: '',
      lastName: '',
    },
    caller,
  )
  expect(await findSubdomain({ subdomain: 'trymaiu' })).toMatchObject({ available: false, reason: 'subdomain_taken' })
})

test('suggests a subdomain for names without letters too', async () => {
  expect(await suggestSubdomains('***')).toHaveLength(3)
  expect(await suggestSubdomains('Школа Їжачок')).toContain('shkola-yizhachok')
})
