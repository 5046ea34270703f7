import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { startJobs } from '#lib/core/jobs/jobs.ts'
import { forEachTenant, TenantJobsFailed } from '#lib/core/jobs/tenants.ts'
import { remindReviewers } from '#lib/homework/review/review-digest.ts'
import { jobs } from '#lib/jobs.ts'
import { tenant } from '#lib/tenant/table.ts'
import { handedIn, learner, putOnCourse, withTask } from '../../../setup/course/works.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

afterEach(() => vi.restoreAllMocks())

const ALL = { job: 'test.all', dueSql: 'select 1', now: new Date() }

/** Tenants without any events. */
async function idleTenants(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    id: newId(),
    subdomain: `idle-${newId()}`,
    name: 'Тиха школа',
  }))
  await inSystem((tx) => tx.insert(tenant).values(rows))
  return rows.map(({ id }) => id).sort()
}

const clearTenants = () => inSystem((tx) => tx.execute(sql`delete from tenant where subdomain like 'idle-%'`))

describe('a periodic job for all tenants', () => {
  afterEach(clearTenants)

  test('continues after a failing tenant, and then fails with its name', async () => {
    const [first, second, third] = await idleTenants(3)
    const processed: string[] = []
    const running = forEachTenant(ALL, async (tenantId) => {
      if (tenantId === first) throw new Error('malformed row')
      processed.push(tenantId)
      return 1
    })
    await expect(running).rejects.toThrow(`${first}: malformed row`)
    await expect(running).rejects.toBeInstanceOf(TenantJobsFailed)
    expect(processed).toEqual([second, third])
  })

  test('runs only for tenants for which the query returns a row, each seeing its own rows', async () => {
    const [first = '', second = ''] = await idleTenants(3)
    for (const tenantId of [first, second])
      await inTenant({ tenantId }, (tx) =>
        tx.execute(
          sql`insert into storage_use (tenant_id, original) values (${tenantId}, ${tenantId === first ? 1 : 9})`,
        ),
      )
    const processed: string[] = []
    const dueSql = 'select 1 from storage_use where original > 5'
    await forEachTenant({ ...ALL, dueSql }, async (tenantId) => processed.push(tenantId))
    expect(processed).toEqual([second])
    for (const tenantId of [first, second])
      await inTenant({ tenantId }, (tx) => tx.execute(sql`delete from storage_use`))
  })

  test('runs for a tenant whose rows the query cannot read, so that the run reports it', async () => {
    const [first = '', second = ''] = await idleTenants(2)
    const processed: string[] = []
    const dueSql = `select 1 where current_tenant() = '${first}' and 1 / (current_tenant() <> '${first}')::int = 1`
    await forEachTenant({ ...ALL, dueSql }, async (tenantId) => processed.push(tenantId))
    expect(processed).toEqual([first])
    expect(processed).not.toContain(second)
  })
})

// live.sweep is one statement for all tenants.
const PERIODIC = Object.entries(jobs).flatMap(([name, entry]) =>
  typeof entry === 'object' && entry.cron && name !== 'live.sweep' ? [{ name, run: entry.run }] : [],
)
const run = { attempt: 1, isLastAttempt: true, signal: new AbortController().signal }

describe('the periodic jobs of the product', () => {
  // The tables of the queue, which one of the jobs reads.
  beforeAll(async () => (await startJobs({})).stop())
  afterEach(clearTenants)

  test('cost the same number of statements however many tenants are idle', async () => {
    expect(PERIODIC.length).toBeGreaterThanOrEqual(9)
    const statements = async () => {
      const query = vi.spyOn(pg.Client.prototype, 'query')
      const counts: Record<string, number> = {}
      for (const job of PERIODIC) {
        const before = query.mock.calls.length
        await job.run({} as never, run)
        counts[job.name] = query.mock.calls.length - before
      }
      query.mockRestore()
      return counts
    }
    const few = await statements()
    await idleTenants(50)
    expect(await statements()).toEqual(few)
  })

  test('reach the other tenants when one has a malformed row', async () => {
    const waiting: string[] = []
    for (const name of ['А', 'Б', 'В']) {
      const created = await createTestTenant(name)
      const place = await withTask(created.as.OWNER)
      await putOnCourse(created.as.CURATOR, place.courseId)
      await handedIn(await learner(created, place.courseId, `learner@${created.tenant.subdomain}.test`), place)
      waiting.push(created.tenant.id)
    }
    await pool.query("update tenant set time_zone = 'Mars/Olympus' where id = $1", [waiting[0]])
    const failing = remindReviewers(new Date('2026-12-01T07:20:00Z'))
    await expect(failing).rejects.toThrow('1 of 3 tenants failed')
    for (const tenantId of waiting.slice(1)) {
      const { rows } = await inTenant({ tenantId }, (tx) =>
        tx.execute(sql`select 1 from mail where once_key like 'homework-digest/%'`),
      )
      expect(rows).toHaveLength(1)
    }
  })
})
