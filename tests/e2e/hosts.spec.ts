import { sendRequest } from '../setup/media/http-request.ts'
import { addressOf, DEMO_PASSWORD, expect, STUDENT, staffEmail, test } from './support/test.ts'

const BASE = 'kafedra.localhost'
const port = () => Number(new URL(addressOf(null)).port)
const requestHost = (host: string, path: string, options = {}) => sendRequest(port(), host, path, options)

const tokens = new Map<string, string>()

async function tokenFor(email: string): Promise<string> {
  const known = tokens.get(email)
  if (known) return known
  const answer = await requestHost(BASE, '/v1/module/user/login', { body: { email, password: DEMO_PASSWORD } })
  expect(answer.status).toBe(200)
  const { token } = answer.json() as { token: string }
  tokens.set(email, token)
  return token
}

test('signing in sets the cookie as the specification says', async () => {
  const body = { email: staffEmail('owner'), password: DEMO_PASSWORD }
  const answer = await requestHost(BASE, '/v1/module/user/login', { body })
  expect(answer.json()).toEqual({ token: answer.cookies.token, redirect: addressOf('demo', '/') })
  const [cookie] = answer.headers['set-cookie'] ?? []
  expect(cookie?.split('; ').slice(1).toSorted()).toEqual(
    ['Domain=kafedra.localhost', 'HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax'].toSorted(),
  )
  const wrong = await requestHost(BASE, '/v1/module/user/login', { body: { ...body, password: 'Ne-te-2026!' } })
  expect(wrong.status).toBe(422)
  expect(wrong.json()).toMatchObject({ message: 'Облікові дані не знайдено в наших записах.' })
})

test('staff are redirected to their own subdomain, students to the student host, with path and query', async () => {
  const owner = await tokenFor(staffEmail('owner'))
  const student = await tokenFor(STUDENT)
  const cases = [
    [BASE, '/', owner, addressOf('demo', '/')],
    ['go.kafedra.localhost', '/courses?status=draft', owner, addressOf('demo', '/courses?status=draft')],
    ['sonata.kafedra.localhost', '/courses?q=ї', owner, null],
    ['demo.kafedra.localhost', '/courses?x=1', student, addressOf('go', '/courses?x=1')],
    [BASE, '/', student, addressOf('go', '/profile')],
    ['go.kafedra.localhost', '/', student, '/profile'],
    ['demo.kafedra.localhost', '/course/lesson/1', owner, '/'],
  ] as const
  for (const [host, path, token, to] of cases) {
    const answer = await requestHost(host, encodeURI(path), { token })
    expect(answer.status, `${host}${path}`).toBe(302)
    expect(answer.headers.location).toBe(to ?? addressOf('demo', encodeURI(path)))
  }
})

test('a visitor is redirected to sign-in with the requested path; an invalid token is cleared', async () => {
  const answer = await requestHost('demo.kafedra.localhost', '/courses?status=draft', { token: 'x'.repeat(43) })
  expect(answer.status).toBe(302)
  expect(answer.headers.location).toBe(`/login?return=${encodeURIComponent('/courses?status=draft')}`)
  expect(answer.cookies.token).toBe('')
})

test('a subdomain without a tenant and a forged host get a 404 page', async () => {
  for (const host of ['nosuch.kafedra.localhost', 'evil.example']) {
    const answer = await requestHost(host, '/login')
    expect(answer.status).toBe(404)
    expect(answer.body).toContain('Тут немає школи')
  }
  const trusted = await requestHost(BASE, '/login', { headers: { 'x-forwarded-host': 'evil.example' } })
  expect(trusted.status).toBe(200)
  expect(trusted.body).not.toContain('evil.example')
})

test('paths without a page are not found', async () => {
  const token = await tokenFor(staffEmail('owner'))
  for (const path of ['/nowhere', '/mentoring/nowhere']) {
    expect((await requestHost('demo.kafedra.localhost', path, { token })).status, path).toBe(404)
  }
})

test('a login session is valid for its own tenant only', async () => {
  const token = await tokenFor('owner@sonata.test')
  const own = await requestHost('sonata.kafedra.localhost', '/v1/module/user/getSessionInfo', { token })
  expect(own.json()).toMatchObject({ current_tenant: { subdomain: 'sonata' }, user_roles: { roles: ['OWNER'] } })
  const foreign = await requestHost('demo.kafedra.localhost', '/v1/module/user/getSessionInfo', { token })
  expect(foreign.status).toBe(401)
})

test('a state-changing request from another site or another tenant is refused', async () => {
  const token = await tokenFor(staffEmail('owner'))
  const otherTenant = { origin: addressOf('sonata', ''), 'sec-fetch-site': 'same-site' }
  const others = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    otherTenant,
  ]
  for (const headers of others) {
    const call = await requestHost('demo.kafedra.localhost', '/v1/module/user/logout', { token, headers, body: {} })
    expect(call.status).toBe(403)
    const form = await requestHost(BASE, '/login', {
      headers,
      body: new URLSearchParams({ email: 'a@b.test', password: 'x' }),
    })
    expect(form.status).toBe(403)
    expect(form.body).toContain('<h1')
  }
})

test('a second token cookie set by another host is ignored and removed', async () => {
  const own = await tokenFor(staffEmail('owner'))
  const tossed = await tokenFor(staffEmail('expert'))
  for (const pair of [`token=${tossed}; token=${own}`, `token=${own}; token=${tossed}`]) {
    const page = await requestHost('demo.kafedra.localhost', '/courses', { headers: { cookie: pair } })
    expect(page.status).toBe(302)
    expect(page.headers['set-cookie']?.join()).toContain('Path=/courses; Domain=kafedra.localhost')
    expect(page.headers['set-cookie']?.join()).not.toMatch(/Path=\/; Domain=/)
    const call = await requestHost('demo.kafedra.localhost', '/v1/module/user/getSessionInfo', {
      headers: { cookie: pair },
    })
    expect(call.status).toBe(401)
  }
  expect((await requestHost('demo.kafedra.localhost', '/courses', { token: own })).status).toBe(200)
})

test('four hundred concurrent requests in two languages do not mix', async () => {
  const pages = await Promise.all(
    Array.from({ length: 400 }, async (_, n) => {
      const locale = n % 2 ? 'en' : 'uk'
      // The query bypasses the page cache, so that each page is rendered.
      const answer = await requestHost(BASE, `/forgot-password?n=${n}`, { headers: { cookie: `locale=${locale}` } })
      return { locale, body: answer.body }
    }),
  )
  for (const { locale, body } of pages) {
    expect(body).toContain(`<html lang="${locale}"`)
    expect(/[а-яіїєґ]/i.test(body.replaceAll('Українська', '').replaceAll('Кафедра', ''))).toBe(locale === 'uk')
  }
})

test('an invalid query gets an error page, an unknown method is refused', async () => {
  const token = await tokenFor(staffEmail('owner'))
  for (const query of ['q=%00', `cursor=${'x'.repeat(300)}`, 'cursor=nonsense']) {
    const answer = await requestHost('demo.kafedra.localhost', `/courses?${query}`, { token })
    expect(answer.status, query).toBe(400)
    expect(answer.body).toContain('<h1')
  }
  expect((await requestHost(BASE, '/login', { method: 'PROPFIND' })).status).toBe(405)
})

test('the API describes its procedures', async () => {
  const { paths } = (await requestHost(BASE, '/v1/openapi.json')).json() as { paths: Record<string, object> }
  expect(paths['/module/user/getSessionInfo']).toHaveProperty('get')
  expect(paths['/module/student/inviteAccept']).toHaveProperty('get')
  expect(paths['/module/user/login']).toHaveProperty('post')
  const wrongType = await requestHost(BASE, '/v1/module/user/login', {
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  })
  expect(wrongType.status).toBe(415)
  expect((await requestHost(BASE, '/v1/module/user/nosuch')).status).toBe(404)
  expect((await requestHost(BASE, '/v1/module/user/getSessionInfo')).status).toBe(401)
})

test('pages forbid foreign scripts and forms with foreign targets', async () => {
  for (const path of ['/', '/login', '/register', '/nowhere']) {
    const { headers } = await requestHost(BASE, path)
    const policy = String(headers['content-security-policy'])
    const directive = (name: string) => policy.split(';').find((part) => part.trim().startsWith(`${name} `)) ?? ''
    expect(directive('default-src')).toContain("'self'")
    expect(directive('script-src')).toMatch(/'self' 'sha256-/)
    expect(directive('script-src')).not.toMatch(/unsafe|https?:/)
    expect(directive('frame-ancestors')).toContain("'none'")
    expect(directive('form-action')).toContain(`http://*.${BASE}:${port()}`)
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
})

test('an image upload may be larger than other request bodies', async () => {
  const token = await tokenFor(staffEmail('expert'))
  const picture = (megabytes: number) => {
    const form = Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
      Buffer.alloc(megabytes * 1_048_576),
      Buffer.from('\r\n--b--\r\n'),
    ])
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(form.length) }
    return requestHost('demo.kafedra.localhost', '/v1/file', { method: 'POST', body: form, headers, token })
  }
  expect((await picture(2)).status).not.toBe(413)
  expect((await picture(12)).status).toBe(413)
  const words = await requestHost(BASE, '/v1/module/user/login', {
    body: { email: 'x'.repeat(1_100_000), password: 'x' },
  })
  expect(words.status).toBe(413)
  expect(words.json()).toMatchObject({ code: 'too_large', fields: {} })
})
