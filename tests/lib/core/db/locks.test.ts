import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { publish } from '#lib/core/live/live.ts'
import { log } from '#lib/core/log.ts'

afterAll(() => pool.end())

const school = { tenantId: randomUUID() }

test('an event that is published early in a long transaction lets other publishers of the school commit first', async () => {
  const published = Promise.withResolvers<void>()
  const otherCommitted = Promise.withResolvers<void>()
  const long = inTenant(school, async () => {
    await publish('course:1', 'early')
    published.resolve()
    await otherCommitted.promise
  })
  await published.promise
  await inTenant(school, () => publish('course:1', 'other'))
  otherCommitted.resolve()
  await long
  const { rows } = await inTenant(school, (tx) => tx.execute(sql`select payload from live_event order by id`))
  expect(rows.map(({ payload }) => payload)).toEqual(['other', 'early'])
})

test('a wait for a lock above half a second is logged with its name, without what is locked', async () => {
  const warn = vi.spyOn(log, 'warn').mockReturnValue()
  const key = randomUUID()
  const isLocked = Promise.withResolvers<void>()
  const first = inTenant(school, async (tx) => {
    await lockUntilCommit(tx, 'students', key)
    isLocked.resolve()
    await tx.execute(sql`select pg_sleep(0.8)`)
  })
  await isLocked.promise
  await inTenant(school, (tx) => lockUntilCommit(tx, 'students', key))
  await first
  const waits = warn.mock.calls.filter(([fields]) => Object.hasOwn(Object(fields), 'lock'))
  expect(waits).toEqual([[{ lock: 'students', waitedMs: expect.any(Number) }, 'a transaction waited for a lock']])
  // Other keys and shared lockers do not wait.
  await Promise.all([
    inTenant(school, (tx) => lockUntilCommit(tx, 'students', key, true)),
    inTenant(school, (tx) => lockUntilCommit(tx, 'students', key, true)),
    inTenant(school, (tx) => lockUntilCommit(tx, 'team', key)),
  ])
  expect(warn.mock.calls.filter(([fields]) => Object.hasOwn(Object(fields), 'lock'))).toHaveLength(1)
})
