import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { expectExactlyOnce, runChaos } from './chaos-run.ts'
import { type ServerProcess, startServerProcess } from './chaos-server.ts'

/*
 * The same as `chat-chaos.test.ts` with two processes of the product on one database, which are killed in the middle of
 * their work. The tabs of a device are connected to different ones. `npm run soak -- chat` runs all seeds (CHAOS_RUNS).
 */
const RUNS = Number(process.env.CHAOS_RUNS ?? 3)

let home: TestTenant
let processes: ServerProcess[] = []
beforeAll(async () => {
  home = await createTestTenant()
  processes = await Promise.all([startServerProcess(), startServerProcess()])
}, 120_000)
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
afterAll(() => {
  for (const process of processes) process.close()
})

test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
  'each message arrives once, in one order for everyone, although processes are killed, with seed %i',
  { timeout: 120_000, retry: 0 },
  async (seed) => expectExactlyOnce(await runChaos({ home, seed, processes })),
)

test('a killed process does not answer, and the next one does', async () => {
  const [first] = processes
  const owner = home.as.OWNER
  const answer = first?.call('readLiveEvents', owner.tenantId, ['chat:none'], { position: null, resumeIds: [] })
  const outcome = answer?.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  )
  await first?.kill()
  expect(['answered', 'unreachable']).toContain(await outcome)
  const again = first?.call('readLiveEvents', owner.tenantId, ['chat:none'], { position: null, resumeIds: [] })
  expect((await again)?.events).toEqual([])
})
