import { afterEach, expect, test, vi } from 'vitest'
import { inSystem } from '#lib/core/db/db.ts'
import { enqueueJob, type JobList, startJobs } from '#lib/core/jobs/jobs.ts'
import { inLine } from '#lib/core/jobs/line.ts'

let workers: { stop(): Promise<void> } | undefined
afterEach(() => workers?.stop())

const add = (name: string, key: string) =>
  inSystem(() => enqueueJob(name, { tenantId: null, key }, { singletonKey: key, hours: 2 }))
const keysOf = async (name: string) => (await inLine(name, 10)).map(({ key, running }) => (running ? `${key}!` : key))

test('leaves jobs in the line until the process is ready for them', async () => {
  const done: string[] = []
  const list = (ready: boolean): JobList => ({
    'test.waits': { run: async ({ key }: { key: string }) => done.push(key), ready: async () => ready, atOnce: 1 },
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

test('takes long jobs one by one, and tells the running one at once that the process ends', async () => {
  const begun: string[] = []
  const run = ({ key }: { key: string }, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((_, reject) => {
      begun.push(key)
      signal.addEventListener('abort', () => reject(new Error('stopped')))
    })
  for (const key of ['a', 'b', 'c']) await add('test.long', key)
  workers = await startJobs({ 'test.long': { run, atOnce: 1, leaves: true, tries: 50, hours: 2 } })
  await vi.waitFor(() => expect(begun).toEqual(['a']), 15_000)
  expect(await keysOf('test.long')).toEqual(['a!', 'b', 'c'])
  const since = performance.now()
  await workers.stop()
  expect(performance.now() - since).toBeLessThan(5000)
  // It goes back to its old place: nothing was lost.
  expect(await keysOf('test.long')).toEqual(['a', 'b', 'c'])
})
