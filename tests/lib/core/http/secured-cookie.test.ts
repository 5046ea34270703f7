import { expect, test, vi } from 'vitest'

async function cookieOf(env: Record<string, string>): Promise<string> {
  vi.resetModules()
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const { tokenCookie } = await import('#lib/core/http/cookies.ts')
  vi.unstubAllEnvs()
  return tokenCookie('abc')
}

test('the sign-in cookie is Secure, as specified', async () => {
  expect(await cookieOf({ BASE_DOMAIN: 'school.example', PUBLIC_SCHEME: 'https' })).toBe(
    'token=abc; Domain=school.example; Path=/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax',
  )
  expect(await cookieOf({ BASE_DOMAIN: 'kafedra.localhost', PUBLIC_SCHEME: 'https' })).toContain('; Secure;')
  expect(await cookieOf({ BASE_DOMAIN: 'school.example', PUBLIC_SCHEME: 'http' })).toContain('; Secure;')
})

test('it is not Secure over plain http on localhost, where WebKit would drop it', async () => {
  expect(await cookieOf({ BASE_DOMAIN: 'kafedra.localhost', PUBLIC_SCHEME: 'http' })).toBe(
    'token=abc; Domain=kafedra.localhost; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax',
  )
})
