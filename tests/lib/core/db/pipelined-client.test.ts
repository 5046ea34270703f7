import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import {
  inSystem,
  inTenant,
  inTenantConcurrently,
  pool,
  query,
  readUntenanted,
  writeWithCommit,
} from '#lib/core/db/db.ts'
import { PipelinedClient, PLANNED_EACH_TIME } from '#lib/core/db/pipelined-client.ts'
import { course } from '#lib/course/table.ts'
import { openWire } from '../../../../scripts/bench/trips.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: { tenantId: string }
let theirs: { tenantId: string }
beforeAll(async () => {
  const tenantOf = ({ tenant }: TestTenant) => ({ tenantId: tenant.id })
  ours = tenantOf(await createTestTenant())
  theirs = tenantOf(await createOtherTenant())
})
afterEach(() => vi.restoreAllMocks())

async function currentTenant(scope: { tenantId: string }): Promise<unknown> {
  const { rows } = await inTenant(scope, (tx) => tx.execute(sql`select current_tenant() as tenant`))
  return rows[0]?.tenant
}

/** Delays every `commit` until the returned function is called. */
function holdCommits(): () => void {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const send = pg.Client.prototype.query
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...input: unknown[]) {
    const result: Promise<unknown> = Reflect.apply(send, this, input)
    return input[0] === 'commit' ? released.then(() => result) : result
  })
  return release
}

describe('a pipelined connection', () => {
  test('sends independent statements in one round trip', async () => {
    const { socketDir } = inject('cluster')
    const wire = await openWire(socketDir)
    const connectionString = config.databaseUrl?.replace(
      encodeURIComponent(socketDir),
      encodeURIComponent(wire.socketDir),
    )
    const client = new PipelinedClient({ connectionString })
    await client.connect()
    const before = wire.counted.trips
    const results = await Promise.all([1, 2, 3].map((number) => client.query('select $1::int as number', [number])))
    expect(results.map(({ rows }) => rows[0])).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }])
    expect(wire.counted.trips - before).toBe(1)
    await client.end()
  })

  test('does not prepare a statement that is planned each time', async () => {
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    const run = (number: number) =>
      inSystem((tx) => tx.execute(sql`select ${PLANNED_EACH_TIME} ${number}::int + ${sql.raw('7002')} as sum`))
    for (let use = 1; use <= 5; use++) expect((await run(use)).rows).toEqual([{ sum: 7002 + use }])
    const uses = sent.mock.calls.filter(([statement]: unknown[]) => JSON.stringify(statement).includes('7002'))
    expect(uses).toHaveLength(5)
    for (const [statement] of uses) expect(statement).toMatchObject({ name: undefined })
  })

  test('prepares a frequently used text that is sent with its values', async () => {
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    for (let use = 1; use <= 5; use++) {
      const { rows } = await query('select $1::int + 7003 as sum', [use])
      expect(rows).toEqual([{ sum: 7003 + use }])
    }
    const uses = sent.mock.calls.filter(([statement]: unknown[]) => JSON.stringify(statement).includes('7003'))
    const names = uses.map(([statement]: unknown[]) => Reflect.get(Object(statement), 'name'))
    expect(names).toEqual([undefined, undefined, expect.any(String), names[2], names[2]])
  })

  test('prepares a frequently used statement, with a separate name for each text', async () => {
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    const run = (number: number) => inSystem((tx) => tx.execute(sql`select ${number}::int + ${sql.raw('7001')} as sum`))
    for (let use = 1; use <= 5; use++) expect((await run(use)).rows).toEqual([{ sum: 7001 + use }])
    const names = sent.mock.calls.flatMap(([statement]: unknown[]) =>
      typeof statement === 'object' &&
      statement !== null &&
      'text' in statement &&
      String(statement.text).includes('7001')
        ? [Reflect.get(statement, 'name')]
        : [],
    )
    expect(names.slice(0, 2)).toEqual([undefined, undefined])
    expect(new Set(names.slice(2)).size).toBe(1)
    expect(names[2]).toMatch(/^s\d+$/)
  })

  test('is closed when a prepared statement no longer fits its table, and the next one works', async () => {
    await pool.query('drop table if exists plan_probe; create table plan_probe (a int)')
    const read = () => inSystem((tx) => tx.execute(sql`select * from plan_probe`))
    // Every connection of the pool prepares it.
    for (let use = 0; use < 5; use++) await Promise.all(Array.from({ length: 6 }, read))
    await pool.query('alter table plan_probe add column b int')
    const failures = await Promise.allSettled(Array.from({ length: 40 }, read))
    expect(await Promise.all(Array.from({ length: 12 }, read))).toHaveLength(12)
    expect(failures.filter(({ status }) => status === 'rejected').length).toBeLessThan(40)
    await pool.query('drop table plan_probe')
  })
})

describe('the end of a transaction', () => {
  test('is awaited when something was changed', async () => {
    const release = holdCommits()
    let isDone = false
    const writing = inTenant(ours, (tx) => tx.insert(course).values({ ...ours, title: 'Запис', slug: 'zapys' })).then(
      () => {
        isDone = true
      },
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isDone).toBe(false)
    release()
    await writing
  })

  test('is not awaited when nothing was changed', async () => {
    const release = holdCommits()
    expect(await currentTenant(ours)).toBe(ours.tenantId)
    release()
  })
})

describe('a write with the commit', () => {
  const titlesOf = (slug: string) =>
    inTenant(ours, (tx) => tx.select({ title: course.title }).from(course).where(eq(course.slug, slug)))
  const insert = (slug: string) =>
    inTenant(ours, async (tx) => {
      writeWithCommit(tx.insert(course).values({ ...ours, title: 'З commit', slug }))
    })

  test('is committed before the transaction ends', async () => {
    await insert('z-commit')
    expect(await titlesOf('z-commit')).toEqual([{ title: 'З commit' }])
  })

  test('does not delay the commit by a round trip', async () => {
    const events: string[] = []
    const send = pg.Client.prototype.query
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...input: unknown[]) {
      const result: Promise<unknown> = Reflect.apply(send, this, input)
      const name = JSON.stringify(input[0]).match(/insert|commit/)?.[0]
      if (name) events.push(`${name} sent`)
      if (name) result.then(() => events.push(`${name} answered`))
      return result
    })
    await insert('z-commit-razom')
    expect(events).toEqual(['insert sent', 'commit sent', 'insert answered', 'commit answered'])
  })

  test('rejects the transaction when it fails, and nothing is committed', async () => {
    await insert('z-commit-dvichi')
    const again = inTenant(ours, async (tx) => {
      await tx.insert(course).values({ ...ours, title: 'Інший', slug: 'inshyi' })
      writeWithCommit(tx.insert(course).values({ ...ours, id: 'не uuid', title: 'Хибний', slug: 'khybnyi' }))
    })
    await expect(again).rejects.toMatchObject({ code: '22P02' })
    expect(await titlesOf('inshyi')).toEqual([])
    expect(await currentTenant(ours)).toBe(ours.tenantId)
  })

  test('belongs to the tenant in which it was requested, whatever the tenant of the surrounding transaction', async () => {
    await inSystem(async () => {
      await insert('z-commit-useredyni')
    })
    expect(await titlesOf('z-commit-useredyni')).toHaveLength(1)
  })

  test('needs a transaction', () => {
    expect(() => writeWithCommit({ toSQL: () => ({ sql: 'select 1', params: [] }) })).toThrow('transaction')
  })
})

describe('functions that run at the same time in one transaction', () => {
  test('refuse a function of another tenant or of none, which would wait for a second connection', async () => {
    const run = (other: () => Promise<unknown>) =>
      inTenantConcurrently(ours, () => Promise.all([currentTenant(ours), other()]))
    const refusal = 'a transaction must not wait for a second connection of the pool'
    await expect(run(() => currentTenant(theirs))).rejects.toThrow(refusal)
    await expect(run(() => inSystem((tx) => tx.execute(sql`select 1`)))).rejects.toThrow(refusal)
    await expect(run(() => query('select 1'))).rejects.toThrow(refusal)
    expect(await run(() => currentTenant(ours))).toEqual([ours.tenantId, ours.tenantId])
  })

  test('read tables of no tenant on the same connection', async () => {
    const connections = await inTenantConcurrently(ours, () =>
      Promise.all([
        inTenant(ours, (tx) => tx.execute(sql`select pg_backend_pid() as pid`)),
        readUntenanted((tx) => tx.execute(sql`select pg_backend_pid() as pid`)),
      ]),
    )
    expect(new Set(connections.map(({ rows }) => rows[0]?.pid)).size).toBe(1)
  })

  test('fail together', async () => {
    const failing = inTenantConcurrently(ours, () =>
      Promise.all([currentTenant(ours), inTenant(ours, (tx) => tx.execute(sql`select 1 / 0`))]),
    )
    await expect(failing).rejects.toMatchObject({ cause: { code: '22012' } })
    expect(await currentTenant(ours)).toBe(ours.tenantId)
  })
})
