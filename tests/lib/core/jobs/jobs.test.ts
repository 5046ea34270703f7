import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inSystem, pool } from '#lib/core/db/db.ts'
import { enqueueJob, type JobList, listFailedJobs, startJobs } from '#lib/core/jobs/jobs.ts'

const running: { stop(): Promise<void> }[] = []
const start = async (list: JobList) => running.push(await startJobs(list))

afterEach(async () => {
  for (const worker of running.splice(0)) await worker.stop()
})

describe('jobs', { timeout: 60_000 }, () => {
  test('are enqueued without a worker and carry their tenant to a later one', async () => {
    await enqueueJob('test.carry', { tenantId: 'a-school', course: 7 })
    const seen: unknown[] = []
    await start({ 'test.carry': async (data) => seen.push(data) })
    await vi.waitFor(() => expect(seen).toEqual([{ tenantId: 'a-school', course: 7 }]), 10_000)
  })

  test('exist if and only if the transaction of the change is committed', async () => {
    const seen: unknown[] = []
    await start({ 'test.join': async ({ n }: { n: number }) => seen.push(n) })
    const failing = inSystem(async () => {
      await enqueueJob('test.join', { tenantId: null, n: 1 })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await inSystem(async () => {
      await enqueueJob('test.join', { tenantId: null, n: 2 })
      await enqueueJob('test.join', { tenantId: null, n: 3 })
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(seen).toEqual([])
    })
    await vi.waitFor(() => expect(seen.toSorted()).toEqual([2, 3]), 5000)
  })

  test('start immediately, not at the next poll', async () => {
    const seen: number[] = []
    await start({ 'test.soon': async () => seen.push(Date.now()) })
    await enqueueJob('test.soon', { tenantId: null })
    await vi.waitFor(() => expect(seen).toHaveLength(1), 5000)
    const since = Date.now()
    await enqueueJob('test.soon', { tenantId: null })
    await vi.waitFor(() => expect(seen).toHaveLength(2), { timeout: 5000, interval: 5 })
    expect((seen[1] ?? 0) - since).toBeLessThan(1000)
  })

  test('with the same key are queued once', async () => {
    for (const _ of [1, 2, 3]) await enqueueJob('test.once', { tenantId: null }, { singletonKey: 'same' })
    await enqueueJob('test.once', { tenantId: null }, { singletonKey: 'other' })
    await enqueueJob('test.once', { tenantId: null })
    let runs = 0
    await start({ 'test.once': async () => runs++ })
    await vi.waitFor(() => expect(runs).toBe(3), 10_000)
  })

  test('are retried and become dead after the last failure', async () => {
    const attempts: string[] = []
    const run = async (_: unknown, { attempt, isLastAttempt }: { attempt: number; isLastAttempt: boolean }) => {
      attempts.push(`${attempt}${isLastAttempt ? ' last' : ''}`)
      throw new Error('the far side is away')
    }
    await start({ 'test.fails': { run, maxAttempts: 2, retryDelaySeconds: 1 } })
    await enqueueJob('test.fails', { tenantId: 'a-school' })
    await vi.waitFor(() => expect(attempts).toEqual(['1', '2 last']), 20_000)
    await vi.waitFor(async () => {
      expect(await listFailedJobs()).toMatchObject([
        { name: 'test.fails', tenantId: 'a-school', lastError: 'the far side is away' },
      ])
    }, 5000)
  })

  test('added before the first worker get the configured number of attempts', async () => {
    await enqueueJob('test.early', { tenantId: null })
    const lasts: boolean[] = []
    const run = async (_: unknown, { isLastAttempt }: { isLastAttempt: boolean }) => lasts.push(isLastAttempt)
    await start({ 'test.early': { run, maxAttempts: 1 } })
    await vi.waitFor(() => expect(lasts).toEqual([true]), 10_000)
  })

  test('finish before the worker stops', async () => {
    let state = 'waiting'
    const worker = await startJobs({
      'test.finish': async () => {
        state = 'running'
        await new Promise((resolve) => setTimeout(resolve, 700))
        state = 'finished'
      },
    })
    await enqueueJob('test.finish', { tenantId: null })
    await vi.waitFor(() => expect(state).toBe('running'), 10_000)
    await worker.stop()
    expect(state).toBe('finished')
  })

  test('can be enqueued by several processes at once on a database without queues', async () => {
    await pool.query('drop schema pgboss cascade')
    const script = `
      const { enqueueJob } = await import('#lib/core/jobs/jobs.ts')
      const { pool } = await import('#lib/core/db/db.ts')
      await enqueueJob('test.apart', { tenantId: null, from: process.pid })
      await pool.end()`
    const child = () => promisify(execFile)('node', ['--input-type=module', '-e', script], { env: process.env })
    await Promise.all([child(), child(), child()])
    const seen = new Set()
    await start({ 'test.apart': async ({ from }: { from: number }) => seen.add(from) })
    await vi.waitFor(() => expect(seen.size).toBe(3), 10_000)
  })
})
