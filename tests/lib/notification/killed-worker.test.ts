import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startMailServer } from '../../setup/servers/mail-server.ts'

// The configuration is read once, so the server is started before any module of the product is loaded.
const post = await startMailServer()
process.env.SMTP_URL = post.url
const { inTenant, inSystem, pool } = await import('#lib/core/db/db.ts')
const { enqueueJob } = await import('#lib/core/jobs/jobs.ts')
const { saveNotificationSettings } = await import('#lib/notification/settings/settings.ts')
const { createTestTenant } = await import('../../setup/tenants.ts')

const CAUSES = 40
const KILLS = 6

let workers: ChildProcess[] = []
let home: Awaited<ReturnType<typeof createTestTenant>>
beforeAll(async () => {
  home = await createTestTenant()
})
afterEach(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})
afterAll(async () => {
  await post.stop()
  await pool.end()
})

async function startWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [path.resolve('tests/setup/servers/notification-worker-process.ts')], {
    env: { ...process.env, SMTP_URL: post.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  workers = [...workers, worker]
  await once(worker.stdout ?? worker, 'data')
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  await ended
  // What the queue does when no heartbeat of a worker arrives for 30 seconds.
  await pool.query(
    `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
  )
}

const read = async (text: string): Promise<Record<string, unknown>[]> => {
  const { rows } = await inTenant(home.as.OWNER, (tx) => tx.execute(text))
  return rows
}
const subjectsOf = () => read("select data->>'subject' as key, count from notification")
const waiting = () => read("select id from mail where status = 'queued'")

test('workers that are killed between a cause and its delivery lose no notification and send none twice', async () => {
  const student = home.as.STUDENT
  // No daily cap: every cause is an email.
  await saveNotificationSettings(student, { preferences: [], quiet: null, dailyCap: 50 })
  const keys = Array.from({ length: CAUSES }, (_, index) => `cause-${index}`)
  const job = { tenantId: home.tenant.id, memberId: student.membershipId }
  // Each cause twice, as a job that is repeated after it was committed.
  await inSystem(async () => {
    for (const key of [...keys, ...keys]) await enqueueJob('test.cause', { ...job, key })
  })
  for (let round = 0; round < KILLS; round += 1) {
    const worker = await startWorker()
    const before = (await subjectsOf()).length + post.emails.length
    await vi.waitFor(async () => expect((await subjectsOf()).length + post.emails.length).toBeGreaterThan(before), {
      timeout: 15_000,
      interval: 5,
    })
    await new Promise((resolve) => setTimeout(resolve, round * 17))
    await kill(worker)
  }
  await startWorker()
  await vi.waitFor(
    async () => {
      expect(await subjectsOf()).toHaveLength(CAUSES)
      expect(await waiting()).toEqual([])
    },
    { timeout: 60_000, interval: 200 },
  )
  expect((await subjectsOf()).map(({ key }) => key).sort()).toEqual([...keys].sort())
  // A server may have accepted an email whose sender was killed before it knew: the repetition has the same Message-ID,
  // by which mail servers drop it.
  const emails = new Map(post.emails.map(({ messageId, subject }) => [messageId, subject]))
  expect([...emails.values()].sort()).toEqual(keys.map((key) => `Роботу прийнято: ${key}`).sort())
  expect(post.emails.length - emails.size).toBeLessThanOrEqual(2 * KILLS)
}, 180_000)
