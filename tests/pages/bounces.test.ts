import { afterAll, expect, test } from 'vitest'

const SECRET = 'secret-of-the-mail-server-0123456789'
process.env.MAIL_REPORT_SECRET = SECRET
const { pool } = await import('#lib/core/db/db.ts')
const { closeWorkers } = await import('#lib/core/worker/pool.ts')
const { POST } = await import('../../src/pages/v1/bounces.ts')

afterAll(async () => {
  closeWorkers()
  await pool.end()
})

const post = async (authorization: string | null, body = 'Subject: nothing of ours\r\n\r\n') => {
  const headers = new Headers(authorization ? { authorization } : undefined)
  const request = new Request('http://kafedra.test/v1/bounces', { method: 'POST', headers, body })
  return POST({ request } as Parameters<typeof POST>[0])
}

test('accepts a report with the secret of the mail server', async () => {
  expect((await post(`Bearer ${SECRET}`)).status).toBe(204)
})

test.each([null, 'Bearer', 'Bearer ', `Bearer ${SECRET}x`, SECRET])('refuses the authorization %j', async (header) => {
  await expect(post(header)).rejects.toMatchObject({ code: 'unauthorized' })
})

test('refuses a report that is too large', async () => {
  await expect(post(`Bearer ${SECRET}`, 'x'.repeat(512_001))).rejects.toMatchObject({ code: 'too_large' })
})
