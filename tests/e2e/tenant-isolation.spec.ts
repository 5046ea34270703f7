import { ROUTES } from '../../src/lib/core/access/routes.ts'
import { sendRequest } from '../setup/media/http-request.ts'
import { addressOf, DEMO_PASSWORD, expect, staffEmail, test } from './support/test.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const WITH_ID = ROUTES.filter(({ pattern, roles }) => pattern.includes('{') && roles !== 'public')

test('no page of a tenant opens with an id of another tenant', async () => {
  const ids = await idsOnPagesOf(staffEmail('owner'), 'demo')
  expect(ids.length, 'ids to try').toBeGreaterThan(1)
  const [owner, student] = [await tokenOf('owner@sonata.test'), await tokenOf('student@sonata.test')]
  for (const { pattern, roles } of WITH_ID) {
    const forOwner = roles === 'any' || roles.includes('OWNER')
    const [host, token] = forOwner ? ['sonata', owner] : ['go', student]
    for (const id of ids) {
      const path = pattern.replace(/\{[^}]+\}/g, id)
      const { status } = await get(host, path, token)
      expect(status, `${path} as ${forOwner ? 'owner' : 'student'} of sonata`).toBe(404)
    }
  }
})

/** Ids in the pages of an author: courses, modules, lessons. */
async function idsOnPagesOf(email: string, host: string): Promise<string[]> {
  const token = await tokenOf(email)
  const list = await get(host, '/courses', token)
  const [editor] = list.body.match(/\/course\/edit\/[0-9a-f-]{36}/) ?? []
  const first = editor ? await get(host, editor, token) : list
  return [...new Set([...list.body.matchAll(UUID), ...first.body.matchAll(UUID)].map(([id]) => id))].slice(0, 12)
}

async function tokenOf(email: string): Promise<string> {
  const { hostname, port, origin } = new URL(addressOf(null))
  const body = { email, password: DEMO_PASSWORD }
  const answer = await sendRequest(Number(port), hostname, '/v1/module/user/login', { body, headers: { origin } })
  expect(answer.status, `${email} signs in: ${answer.body}`).toBe(200)
  return answer.cookies.token ?? ''
}

function get(host: string, path: string, token: string) {
  const { hostname, port } = new URL(addressOf(host))
  return sendRequest(Number(port), hostname, path, { token, headers: { accept: 'text/html' } })
}
