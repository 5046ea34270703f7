import { createDraft } from '#islands/stores/draft/draft-core.ts'
import type { DraftRecord, DraftStore } from '#islands/stores/draft/draft-record.ts'
import type { Draft, DraftSettings, SaveOutcome } from '#islands/stores/draft/draft-settings.ts'

export type Weather = 'good' | 'offline' | 'signedOut' | 'refused' | 'fault' | 'answerLost'

/**
 * A server with versions, a device with storage, and a simulated clock. Each version is `step` more than the last one:
 * a negative step shows that versions are not compared by size.
 */
export function makeWorld({ step = 1 } = {}) {
  const first = 1000
  const world = {
    server: { value: '', version: first },
    /** All texts of the server, by version: none may be replaced without being seen. */
    history: new Map<number, string>([[first, '']]),
    /** By slot: each tab has a separate one. */
    device: new Map<string, DraftRecord<string>>(),
    /** Records that were set aside: only the list of drafts shows them. */
    aside: [] as DraftRecord<string>[],
    living: new Set<string>(),
    deviceFails: false,
    weather: 'good' as Weather,
    saves: 0,
    /** The number of times that the page was rendered again. */
    draws: 0,
    now: 1_000,
    timers: new Set<{ at: number; run: () => void }>(),
  }

  function write(value: string): number {
    world.server = { value, version: world.server.version + step }
    world.history.set(world.server.version, value)
    return world.server.version
  }

  async function save(value: string, baseVersion: number): Promise<SaveOutcome<string>> {
    world.saves += 1
    await Promise.resolve()
    if (world.weather === 'offline') throw new TypeError('Failed to fetch')
    if (world.weather === 'signedOut') return { kind: 'signedOut' }
    if (world.weather === 'fault') return { kind: 'failed' }
    if (world.weather === 'refused') return { kind: 'refused', message: 'too long' }
    if (baseVersion !== world.server.version) return { kind: 'conflict', ...world.server }
    const version = write(value)
    if (world.weather === 'answerLost') throw new TypeError('Failed to fetch')
    return { kind: 'saved', version }
  }

  let tabs = 0
  const slots = new Map<Draft<string>, string>()

  /** Opens the text in a tab, on the page as the server renders it. */
  function start(more: Pick<DraftSettings<string>, 'merge'> = {}): Draft<string> {
    tabs += 1
    const slot = `tab ${tabs}`
    world.living.add(slot)
    const draft = createDraft<string>({
      ...more,
      title: 'Lesson',
      href: '/course/edit/1',
      ...world.server,
      save,
      store: draftStoreOf(slot),
      onChange: () => {
        world.draws += 1
      },
      clock: {
        now: () => world.now,
        after: (milliseconds, run) => {
          const timer = { at: world.now + milliseconds, run }
          world.timers.add(timer)
          return () => world.timers.delete(timer)
        },
      },
    })
    slots.set(draft, slot)
    return draft
  }

  function draftStoreOf(slot: string): DraftStore<string> {
    return {
      listAbandoned: async () =>
        [...world.device]
          .filter(([other]) => !world.living.has(other))
          .map(([other, record]) => ({ slot: other, record }))
          .sort((a, b) => b.record.changedAt - a.record.changedAt),
      write: async (record) => {
        if (world.deviceFails) throw new Error('QuotaExceededError')
        world.device.set(slot, record)
      },
      remove: async () => void world.device.delete(slot),
      removeAbandoned: async (kept) => {
        if (world.device.get(kept.slot) === kept.record) world.device.delete(kept.slot)
      },
      archive: async (record) => void world.aside.push(record),
      close: () => void world.living.delete(slot),
    }
  }

  return {
    world,
    write,
    start,
    /** The server's text, as requested by a page. */
    read: async () => ({ ...world.server }),
    /** Advances the clock by a number of milliseconds and waits for everything that follows. */
    async pass(milliseconds: number) {
      world.now += milliseconds
      for (const timer of [...world.timers].filter(({ at }) => at <= world.now)) {
        world.timers.delete(timer)
        timer.run()
      }
      await settle()
    },
    /** The tab crashes: no timers and no events of closing. */
    crash(draft: Draft<string>) {
      draft.close()
      world.timers.clear()
    },
    /** The record of a tab on the device. */
    kept: (draft: Draft<string>) => world.device.get(slots.get(draft) ?? '')?.value,
  }
}

export async function settle() {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve()
}
