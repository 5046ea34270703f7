import { createDraft, type Draft, type DraftRecord, type SaveOutcome } from '#islands/stores/draft-core.ts'

export type Weather = 'good' | 'offline' | 'signedOut' | 'refused' | 'answerLost'

/** A server with versions, a device that keeps, and a clock that is turned by hand. */
export function makeWorld() {
  const world = {
    server: { value: '', version: 1 },
    /** Texts that the server ever held, by version: nothing may vanish from here unseen. */
    history: new Map<number, string>([[1, '']]),
    device: new Map<string, DraftRecord<string>>(),
    deviceFails: false,
    weather: 'good' as Weather,
    saves: 0,
    /** How often the page was asked to draw again. */
    draws: 0,
    now: 1_000,
    timers: new Set<{ at: number; run: () => void }>(),
  }

  function write(value: string): number {
    world.server = { value, version: world.server.version + 1 }
    world.history.set(world.server.version, value)
    return world.server.version
  }

  async function save(value: string, baseVersion: number): Promise<SaveOutcome<string>> {
    world.saves += 1
    await Promise.resolve()
    if (world.weather === 'offline') throw new TypeError('Failed to fetch')
    if (world.weather === 'signedOut') return { kind: 'signedOut' }
    if (world.weather === 'refused') return { kind: 'refused', message: 'too long' }
    if (baseVersion !== world.server.version) return { kind: 'conflict', ...world.server }
    const version = write(value)
    if (world.weather === 'answerLost') throw new TypeError('Failed to fetch')
    return { kind: 'saved', version }
  }

  function start(): Draft<string> {
    return createDraft<string>({
      key: 'lesson/1',
      title: 'Lesson',
      href: '/course/edit/1',
      ...world.server,
      save,
      vault: {
        read: async (key) => world.device.get(key),
        write: async (key, record) => {
          if (world.deviceFails) throw new Error('QuotaExceededError')
          world.device.set(key, record)
        },
        remove: async (key) => void world.device.delete(key),
      },
      changed: () => {
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
  }

  return {
    world,
    write,
    start,
    /** Lets so many milliseconds pass and everything that follows happen. */
    async pass(milliseconds: number) {
      world.now += milliseconds
      for (const timer of [...world.timers].filter(({ at }) => at <= world.now)) {
        world.timers.delete(timer)
        timer.run()
      }
      await settle()
    },
    /** The tab dies: no timer, no farewell. */
    crash(draft: Draft<string>) {
      draft.close()
      world.timers.clear()
    },
  }
}

export async function settle() {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve()
}
