import type { APIContext } from 'astro'
import { expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { POST } from '../../src/pages/v1/masterclass/[id].ts'
import { createTestTenant } from '../setup/tenants.ts'

test.each(['__proto__', 'constructor', 'toString', '', null, 7])(
  'a report of a visit with the unknown action %j is invalid',
  async (event) => {
    const { tenant } = await createTestTenant()
    const url = new URL('https://school.test/')
    const request = new Request(url, { method: 'POST', body: JSON.stringify({ event }) })
    const locals = { actor: null, school: { id: tenant.id }, locale: 'uk', address: '192.0.2.1' }
    const cookies = { get: () => undefined, set: () => {} }
    const context = { request, url, locals, cookies, params: { id: newId() } }
    await expect(POST(context as never as APIContext)).rejects.toMatchObject({ code: 'invalid' })
  },
)
