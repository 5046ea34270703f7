import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterCommit, ambientClient, inSystem, inTenant, isPoolExhausted, pool, type Tx } from '#lib/core/db/db.ts'
import { course } from '#lib/course/table.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

const here = () => ({ tenantId: ours.tenant.id })
const there = () => ({ tenantId: theirs.tenant.id })

async function tenantOf(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ tenant: string | null }>(sql`select current_tenant() as tenant`)
  return rows[0]?.tenant ?? null
}
const fail = () => Promise.reject(new Error('no'))

describe('a tenant transaction', () => {
  test('restores the tenant after a nested call of another tenant, whether it succeeded or failed', async () => {
    await inTenant(here(), async (tx) => {
      await inTenant(there(), async (inner) => expect(await tenantOf(inner)).toBe(theirs.tenant.id))
      expect(await tenantOf(tx)).toBe(ours.tenant.id)
      await expect(inTenant(there(), fail)).rejects.toThrow('no')
      expect(await tenantOf(tx)).toBe(ours.tenant.id)
      await expect(inSystem(() => inTenant(there(), fail))).rejects.toThrow('no')
      expect(await tenantOf(tx)).toBe(ours.tenant.id)
    })
  })

  test('fails at commit when a failed statement was ignored', async () => {
    const title = 'Курс, якого не буде'
    const half = inTenant(here(), async (tx) => {
      await tx.insert(course).values({ ...here(), title, slug: 'never' })
      await inTenant(there(), (inner) => inner.execute(sql`select 1 / 0`)).catch(() => {})
    })
    await expect(half).rejects.toThrow('nothing was committed')
    const kept = await inTenant(here(), (tx) => tx.select({ title: course.title }).from(course))
    expect(kept.map((row) => row.title)).not.toContain(title)
  })

  test('leaves neither tenant nor person on the connection', async () => {
    await inTenant(here(), (tx) => tenantOf(tx))
    await expect(inTenant(here(), fail)).rejects.toThrow('no')
    const clients = await Promise.all(Array.from({ length: 6 }, () => pool.connect()))
    for (const client of clients) {
      const { rows } = await client.query('select current_tenant() as tenant, current_person() as person')
      expect(rows).toEqual([{ tenant: null, person: null }])
      client.release()
    }
  })

  test('is not joined by work started inside that continues after the commit', async () => {
    let late: Promise<string | null> = Promise.resolve(null)
    await inTenant(here(), async () => {
      late = pause(50).then(() => {
        expect(ambientClient()).toBeNull()
        return inTenant(there(), tenantOf)
      })
    })
    expect(await late).toBe(theirs.tenant.id)
  })

  test('runs after-commit work only after the commit, and not after a rollback', async () => {
    const done: string[] = []
    await inTenant(here(), async () => {
      await inTenant(there(), async () => afterCommit(() => done.push('inner')))
      afterCommit(() => done.push('outer'))
      expect(done).toEqual([])
    })
    await expect(
      inTenant(here(), async () => {
        afterCommit(() => done.push('never'))
        await fail()
      }),
    ).rejects.toThrow('no')
    expect(done).toEqual(['inner', 'outer'])
  })

  test('refuses a tenant id that is no id', () => {
    for (const tenantId of ['', "' or true --", 'x'.repeat(36)]) {
      expect(() => inTenant({ tenantId }, tenantOf)).toThrow(TypeError)
    }
  })
})

describe('row-level security', () => {
  test('refuses a row of another tenant and a row that references one', async () => {
    const [theirCourse] = await inTenant(there(), (tx) =>
      tx
        .insert(course)
        .values({ ...there(), title: 'Їхній', slug: 'theirs' })
        .returning({ id: course.id }),
    )
    const put = (statement: ReturnType<typeof sql>) => inTenant(here(), (tx) => tx.execute(statement))
    const foreign = sql`insert into course (tenant_id, id, title, slug) values (${theirs.tenant.id}, gen_random_uuid(), 'x', 'x')`
    await expect(put(foreign)).rejects.toMatchObject({ cause: { code: '42501' } })
    const module = sql`insert into course_module (tenant_id, id, course_id, title, position)
      values (${ours.tenant.id}, gen_random_uuid(), ${theirCourse?.id}, 'x', 0)`
    await expect(put(module)).rejects.toMatchObject({ cause: { code: '23503' } })
  })

  test('returns nothing where no tenant is set', async () => {
    await inTenant(here(), (tx) => tx.insert(course).values({ ...here(), title: 'Наш', slug: 'ours' }))
    expect(await inSystem((tx) => tx.select({ id: course.id }).from(course))).toEqual([])
  })
})

test('the pool counts as exhausted while somebody waits for one of its connections', async () => {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  expect(isPoolExhausted()).toBe(false)
  const waiting = inTenant(here(), tenantOf)
  expect(isPoolExhausted()).toBe(true)
  for (const client of clients) client.release()
  expect(await waiting).toBe(ours.tenant.id)
  expect(isPoolExhausted()).toBe(false)
})
