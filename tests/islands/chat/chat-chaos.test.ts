import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { expectExactlyOnce, runChaos } from './chaos-run.ts'

/*
 * Two members with two devices each write in a conversation while tabs are closed, the network fails, responses are lost
 * and login sessions end. Afterwards each message is there once, everyone sees one order, and the unread numbers are
 * exact. A seed determines each run; `npm test` runs the first ones, `npm run soak -- chat` all of them (CHAOS_RUNS). A
 * seed that fails is not run again: that would hide a message that arrives late.
 */
const RUNS = Number(process.env.CHAOS_RUNS ?? 6)

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
  'each message arrives once, in one order for everyone, with seed %i',
  { retry: 0 },
  async (seed) => expectExactlyOnce(await runChaos({ home, seed })),
)

test('devices that forget their queue lose messages', async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const { bodies, expected } = await runChaos({ home, seed, forgetful: true })
    if (bodies.length < expected.length) return
  }
  expect.fail('no message was lost')
})
