import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { getConversation } from '#lib/chat/chat.ts'
import { query } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { seededRandom } from '#lib/quiz/attempt/shuffle.ts'
import { start } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { type ChaosDevice, type ChaosTab, createDevice, type Weather } from './chaos-device.ts'

/*
 * Two members with two devices each write in a conversation while tabs are closed, the network fails, responses are lost
 * and login sessions end. Afterwards each message is there once, everyone sees one order, and the unread numbers are
 * exact. A seed determines each run; `npm test` runs the first ones, `npm run soak -- chat` all of them (CHAOS_RUNS).
 */
const RUNS = Number(process.env.CHAOS_RUNS ?? 6)
const STEPS = 40

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function runChaos(seed: number, forgetful = false) {
  const browser = new EventTarget()
  vi.stubGlobal('window', browser)
  const clock = { offsetMs: 0 }
  const { now: trueNow } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + clock.offsetMs)
  await query('delete from throttle')
  const random = seededRandom(seed)
  const pick = (below: number) => Math.floor(random() * below)
  const { CURATOR, MENTOR } = home.as
  const input = { kind: 'team', title: `Розмова ${seed}`, conversationId: newId() } as const
  const conversationId = await start(CURATOR, { ...input, memberIds: [MENTOR.membershipId] })
  const devices = [CURATOR, CURATOR, MENTOR, MENTOR].map((actor) => createDevice(actor, conversationId, { forgetful }))
  for (const device of devices) await device.openTab()
  /** What was written in each tab, in order. */
  const written = new Map<ChaosTab, string[]>()
  let count = 0

  for (let step = 0; step < STEPS; step += 1) {
    const device = devices[pick(devices.length)]
    if (device) await happen(device)
    await pause(pick(5))
  }
  await settle()
  const { messages, lastSeq } = await listMessages(CURATOR, { conversationId, limit: 100 })
  const bodies = messages.map(({ body }) => body)
  const expected = [...written.values()].flat()
  const unread = await countUnread()
  for (const device of devices) for (const tab of [...device.tabs]) tab.kill()
  return { bodies, expected, lastSeq, messages, written, unread, windows: windowsAtEnd }

  function write(tab: ChaosTab): void {
    const body = `s${seed}m${count++}`
    written.set(tab, [...(written.get(tab) ?? []), body])
    tab.outbox.add({ conversationId, body })
  }

  async function happen(device: ChaosDevice): Promise<void> {
    const tab = device.tabs[pick(device.tabs.length)]
    const action = pick(16)
    if (!tab) await device.openTab()
    else if (action < 7) write(tab)
    else if (action < 10)
      device.weather = (['offline', 'signedOut', 'responseLost', 'good'] as Weather[])[pick(4)] ?? 'good'
    else if (action < 11) clock.offsetMs = (pick(48) - 24) * 3_600_000
    else if (action < 12) tab.kill()
    else if (action < 13 && device.tabs.length < 2) await device.openTab()
    else if (action < 14) tab.store.markRead(tab.store.$window.get().messages.at(-1)?.seq ?? 0)
    else await tab.receive()
    browser.dispatchEvent(new Event('online'))
  }

  /** The network and the login sessions are available again on every device. */
  async function settle(): Promise<void> {
    for (const device of devices) device.weather = 'good'
    // The messages of a crashed tab are sent by the next page.
    for (const device of devices) await device.openTab()
    const until = trueNow() + 20_000
    for (let quiet = 0; quiet < 3 && trueNow() < until; ) {
      browser.dispatchEvent(new Event('online'))
      await pause(4)
      const tabs = devices.flatMap((device) => device.tabs)
      const isBusy = tabs.some(({ outbox }) => outbox.list().length > 0)
      quiet = isBusy ? 0 : quiet + 1
      for (const tab of tabs) await tab.receive()
    }
    expect(devices.flatMap((device) => device.tabs.flatMap(({ outbox }) => outbox.list()))).toEqual([])
    await pause(20)
    windowsAtEnd.push(
      ...devices.flatMap((device) =>
        device.tabs.map(({ store }) => store.$window.get().messages.map(({ seq, body }) => `${seq} ${body}`)),
      ),
    )
  }

  async function countUnread(): Promise<{ shown: number; exact: number }[]> {
    const counts: { shown: number; exact: number }[] = []
    for (const actor of [CURATOR, MENTOR]) {
      // Reports of read positions are delayed by the store.
      await pause(450)
      const { unread: shown, readSeq } = await getConversation(actor, { conversationId })
      const { rows } = {
        rows: messages.filter(({ seq, authorId }) => seq > readSeq && authorId !== actor.membershipId),
      }
      counts.push({ shown, exact: rows.length })
    }
    return counts
  }
}
const windowsAtEnd: string[][] = []

test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
  'each message arrives once, in one order for everyone, with seed %i',
  async (seed) => {
    windowsAtEnd.length = 0
    const { bodies, expected, lastSeq, messages, written, unread, windows } = await runChaos(seed)
    expect([...bodies].sort()).toEqual([...expected].sort())
    expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1))
    for (const own of written.values()) expect(bodies.filter((body) => own.includes(body))).toEqual(own)
    const order = messages.map(({ seq, body }) => `${seq} ${body}`).slice(-300)
    for (const shown of windows) expect(shown).toEqual(order.slice(-shown.length))
    expect(Math.min(...windows.map((shown) => shown.length))).toBeGreaterThan(Math.min(order.length, 50) - 1)
    for (const { shown, exact } of unread) expect(shown).toBe(exact)
  },
)

test('devices that forget their queue lose messages', async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    windowsAtEnd.length = 0
    const { bodies, expected } = await runChaos(seed, true)
    if (bodies.length < expected.length) return
  }
  expect.fail('no message was lost')
})
