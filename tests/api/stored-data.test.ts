import { sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { log } from '#lib/core/log.ts'
import { createWebinar } from '../setup/meeting/events.ts'
import { createTestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

afterAll(() => pool.end())

test('stored data that do not fit their schema are a logged fault of the server, not of the request', async () => {
  const home = await createTestTenant()
  const actor = home.as.OWNER
  const { workshopId } = await createWebinar(actor)
  const body = { workshopId, settings: { record: true } }
  expect((await requestApi('POST', 'workshop/saveSettings', { actor, body })).status).toBe(200)
  await inTenant(actor, (tx) =>
    tx.execute(sql`update workshop set settings = settings || '{"chat": "loud"}' where id = ${workshopId}`),
  )
  const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  const answer = await requestApi('POST', 'workshop/saveSettings', { actor, body })
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } })
  expect(JSON.stringify(answer.body)).not.toContain('loud')
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
})
