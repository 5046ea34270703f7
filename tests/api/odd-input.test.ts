import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { INBOX_KINDS } from '#lib/inbox/schema.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})

const list = (query: string, locale: 'uk' | 'en' = 'en') =>
  requestApi('GET', `inbox/listInbox${query}`, { actor: home.as.OWNER, locale })

describe('a number in the input', () => {
  test.each([
    ['?limit=abc', /isn’t a number/],
    ['?limit=1,5', /isn’t a number/],
    ['?limit=1.5', /whole number/],
    ['?limit=-1', /1 or more/],
    ['?limit=1e30', /or less/],
    ['?limit=1000', /100 or less/],
  ])('that is invalid names its problem: %s', async (query, message) => {
    const { status, body } = await list(query)
    expect(status).toBe(400)
    expect(body.fields).toEqual({ limit: [expect.stringMatching(message)] })
  })

  test('is named in Ukrainian too', async () => {
    expect((await list('?limit=abc', 'uk')).body.fields).toEqual({ limit: [expect.stringContaining('не число')] })
  })

  test('that is missing is required, and text instead of another type is a wrong format', async () => {
    const options = { actor: home.as.OWNER, locale: 'en' } as const
    const missing = await requestApi('POST', 'inbox/updateSettings', { ...options, body: {} })
    expect(missing.body.fields).toEqual({ answerHours: ['This field is required'] })
    const other = await requestApi('POST', 'inbox/closeItems', { ...options, body: { items: 'x' } })
    expect(other.body.fields).toEqual({ items: ['Check the format of what you entered!'] })
  })
})

describe('an answer in the inbox', () => {
  const workId = newId()
  const refs = INBOX_KINDS.flatMap((kind) => [`${kind}.${workId}`, `${kind}.${workId}:${newId()}`])
  test.each(refs)('never fails with a key of another kind: %s', async (item) => {
    const input = { item, since: '0', messageId: newId(), body: 'x' }
    const { status, body } = await requestApi('POST', 'inbox/answer', { actor: home.as.OWNER, body: input })
    const [kind, key = ''] = item.split('.')
    const isAnswerable = key.includes(':') ? kind === 'thread' : kind === 'chat' || kind === 'lesson'
    if (isAnswerable) expect(status).toBe(404)
    else expect([status, Object.keys(Object(body.fields))]).toEqual([400, ['item']])
  })

  test.each(refs)('is not reverted with a key of another kind: %s', async (item) => {
    const [kind, key] = item.split('.')
    const closed = [{ kind, key, at: 1 }]
    const { status } = await requestApi('POST', 'inbox/reopenItems', { actor: home.as.OWNER, body: { closed } })
    expect(status).toBeLessThan(500)
  })
})
