import { afterEach, expect, test, vi } from 'vitest'
import { inSystem } from '#lib/core/db/db.ts'
import { enqueueJob, type JobList, startJobs } from '#lib/core/jobs/jobs.ts'
import { listQueuedJobs } from '#lib/core/jobs/queued-jobs.ts'

let workers: { stop(): Promise<void> } | undefined
afterEach(() => workers?.stop())

const add = (name: string, key: string) =>
  inSystem(() => enqueueJob(name, { tenantId: null, key }, { singletonKey: key, timeoutHours: 2 }))
const keysOf = async (name: string) =>
  (await listQueuedJobs(name, 10)).map(({ key, isRunning: running }) => (running ? `${key}!` : key))

test('leaves jobs queued until the process is ready for them', async () => {
  const done: string[] = []
  const list = (ready: boolean): JobList => ({
    'test.waits': {
      run: async ({ key }: { key: string }) => done.push(key),
      isReady: async () => ready,
      concurrency: 1,
    },
  })
  for (const key of ['a', 'b', 'a']) await add('test.waits', key)
  workers = await startJobs(list(false))
  expect(await keysOf('test.waits')).toEqual(['a', 'b'])
  await workers.stop()
  expect(done).toEqual([])
  workers = await startJobs(list(true))
  await vi.waitFor(() => expect(done).toEqual(['a', 'b']), 15_000)
  expect(await keysOf('test.waits')).toEqual([])
})

test('runs long jobs one at a time, and signals a shutdown to the running one', async () => {
  const begun: string[] = []
  const run = ({ key }: { key: string }, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((_, reject) => {
      begun.push(key)
      signal.addEventListener('abort', () => reject(new Error('stopped')))
    })
  for (const key of ['a', 'b', 'c']) await add('test.long', key)
  workers = await startJobs({
    'test.long': { run, concurrency: 1, stopsAtShutdown: true, maxAttempts: 50, timeoutHours: 2 },
  })
  await vi.waitFor(() => expect(begun).toEqual(['a']), 15_000)
  expect(await keysOf('test.long')).toEqual(['a!', 'b', 'c'])
  const since = performance.now()
  await workers.stop()
  expect(performance.now() - since).toBeLessThan(5000)
  // It returns to its position in the queue: nothing was lost.
  expect(await keysOf('test.long')).toEqual(['a', 'b', 'c'])
})
