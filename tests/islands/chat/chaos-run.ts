import { expect, vi } from 'vitest'
import { latestSeq } from '#islands/chat/message-window.ts'
import { getConversation } from '#lib/chat/chat.ts'
import { query } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { seededRandom } from '#lib/quiz/attempt/shuffle.ts'
import { start } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import type { TestTenant } from '../../setup/tenants.ts'
import { type ChaosDevice, type ChaosTab, createDevice, type Weather } from './chaos-device.ts'
import { localServer, type ServerProcess } from './chaos-server.ts'

const STEPS = 40

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface ChaosOptions {
  home: TestTenant
  seed: number
  /** Devices forget their queues with their tabs. */
  forgetful?: boolean
  /** The processes of the product; without them, all run in this one. */
  processes?: readonly ServerProcess[]
}

/**
 * Lets devices write while tabs are closed, the network and processes fail, responses are lost and login sessions end. A seed
 * determines the run, apart from the timing of the processes.
 */
export async function runChaos({ home, seed, forgetful = false, processes = [] }: ChaosOptions) {
  const windowsAtEnd: string[][] = []
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
  let tabCount = 0
  const serverOfTab = () => processes[tabCount++ % processes.length]?.call ?? localServer
  const restarts = new Set<Promise<void>>()
  const devices = [CURATOR, CURATOR, MENTOR, MENTOR].map((actor) =>
    createDevice(actor, conversationId, { forgetful, serverOfTab }),
  )
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
    const action = pick(processes.length > 0 ? 17 : 16)
    if (action === 16) killOne()
    // A page is not loaded while its process restarts; it is opened in a later step.
    else if (!tab) await device.openTab().catch(() => undefined)
    else if (action < 7) write(tab)
    else if (action < 10)
      device.weather = (['offline', 'signedOut', 'responseLost', 'good'] as Weather[])[pick(4)] ?? 'good'
    else if (action < 11) clock.offsetMs = (pick(48) - 24) * 3_600_000
    else if (action < 12) tab.kill()
    else if (action < 13 && device.tabs.length < 2) await device.openTab().catch(() => undefined)
    else if (action < 14) tab.store.markRead(tab.store.$window.get().messages.at(-1)?.seq ?? 0)
    else await tab.receive()
    browser.dispatchEvent(new Event('online'))
  }

  function killOne(): void {
    const killed = processes[pick(processes.length)]
    // Two restarts of one process at the same time would start it twice.
    if (!killed || restarts.size > 0) return
    const restart = killed.kill().finally(() => restarts.delete(restart))
    restarts.add(restart)
  }

  /** The network, the processes and the login sessions are available again on every device. */
  async function settle(): Promise<void> {
    for (const device of devices) device.weather = 'good'
    await Promise.all(restarts)
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
    await showAll(until)
    windowsAtEnd.push(
      ...devices.flatMap((device) =>
        device.tabs.map(({ store }) => store.$window.get().messages.map(({ seq, body }) => `${seq} ${body}`)),
      ),
    )
  }

  /** Waits until each tab has loaded the latest message; what is missing then is lost. */
  async function showAll(until: number): Promise<void> {
    const { lastSeq } = await listMessages(CURATOR, { conversationId, limit: 1 })
    const tabs = devices.flatMap((device) => device.tabs)
    while (tabs.some(({ store }) => latestSeq(store.$window.get()) < lastSeq) && trueNow() < until) {
      for (const tab of tabs) await tab.receive()
      await pause(4)
    }
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

/** Each message is there once, in the order in which it was written; everyone sees one order, and unread numbers are exact. */
export function expectExactlyOnce(run: Awaited<ReturnType<typeof runChaos>>): void {
  const { bodies, expected, lastSeq, messages, written, unread, windows } = run
  expect([...bodies].sort()).toEqual([...expected].sort())
  expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1))
  for (const own of written.values()) expect(bodies.filter((body) => own.includes(body))).toEqual(own)
  const order = messages.map(({ seq, body }) => `${seq} ${body}`).slice(-300)
  for (const shown of windows) expect(shown).toEqual(order.slice(-shown.length))
  expect(Math.min(...windows.map((shown) => shown.length))).toBeGreaterThan(Math.min(order.length, 50) - 1)
  for (const { shown, exact } of unread) expect(shown).toBe(exact)
}
