import { afterAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { runForm } from '../../src/pages/_request/form-outcome.ts'
import { whileRowsFail } from '../setup/failing-rows.ts'
import { createTestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

afterAll(() => pool.end())

test('a database that cannot save answers 503 with a text in both languages, and saves when it can again', async () => {
  const { as } = await createTestTenant()
  const create = (locale: 'uk' | 'en') =>
    requestApi('POST', 'storage/createFolder', { actor: as.OWNER, locale, body: { parentId: null, name: 'Нотатки' } })
  // PostgreSQL reports a full disk with this code.
  await whileRowsFail({ table: 'file', column: 'name', value: 'Нотатки', code: '53100' }, async () => {
    for (const [locale, text] of [
      ['uk', /На сервері скінчилося місце/],
      ['en', /run out of disk space/],
    ] as const) {
      const refused = await create(locale)
      expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
      expect(refused.body.message).toMatch(text)
      expect(refused.headers.get('retry-after')).toBe('60')
    }
  })
  expect((await create('uk')).status).toBe(200)
})

test('a form is shown again with the typed values when the disk is full', async () => {
  const form = new FormData()
  form.set('title', 'Довгий опис')
  const locals = { t: getTranslator('uk') } as App.Locals
  const fail = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
  const { refused } = await runForm({ locals }, form, fail)
  expect(refused).toMatchObject({ status: 507, typed: { title: 'Довгий опис' } })
  expect(refused?.summary).toMatch(/закінчується місце/)
})
