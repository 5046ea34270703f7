import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Hearing } from '#islands/meeting/connection.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ChatSettings, type RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { emptyRoom } from '#lib/workshop/session/state-rules.ts'

/** The server: its log, and what stops it from answering. */
const server = vi.hoisted(() => ({
  log: [] as RoomEvent[],
  page: 1000,
  fails: [] as unknown[],
  asked: [] as number[],
  /** Answers wait for it. */
  gate: Promise.resolve() as Promise<unknown>,
}))
const line = vi.hoisted(() => ({ hearing: null as Hearing | null }))

vi.mock('#islands/meeting/connection.ts', () => ({
  connect: (_address: () => string, _from: string, hearing: Hearing) => {
    line.hearing = hearing
    return () => {}
  },
}))
vi.mock('#islands/meeting/acts.ts', () => ({
  actsFor: () => ({
    listEvents: async ({ after }: { after: number }) => {
      server.asked.push(after)
      await server.gate
      const failure = server.fails.shift()
      if (failure) throw failure
      const rest = server.log.filter(({ seq }) => seq > after)
      return { events: rest.slice(0, server.page), more: rest.length > server.page, role: 'viewer' }
    },
    getRoom: async () => view(server.log.at(-1)?.seq ?? 0),
  }),
}))
const { $anew, $out, $state, onEvents, openRoom } = await import('#islands/meeting/room.ts')

const slide = (seq: number): RoomEvent => ({
  seq,
  at: seq * 1000,
  offsetMs: seq * 1000,
  actorId: null,
  audience: 'all',
  type: 'slide.change',
  payload: { fileId: null, page: seq },
})
const slides = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => slide(from + index))

function view(lastSeq: number): RoomView {
  const state = { ...emptyRoom(ChatSettings.parse({}), null), slide: { fileId: null, page: Math.max(1, lastSeq) } }
  const me = { personId: 'p', name: 'Оля', role: 'viewer', kind: 'guest', locale: 'uk', mutedUntil: null }
  const rest = { online: 0, votes: {}, staff: null, tally: null, auto: null, serverNow: Date.now(), media: null }
  return Object.assign({ ...rest, ticket: 't', sessionId: 's', lastSeq, liveId: null, state, me }) as never
}

let told: number[]
let stop = () => {}
const says = (...events: RoomEvent[]) => line.hearing?.news({ events })
const page = () => $state.get()?.slide.page
beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(server, { log: slides(1, 3), page: 1000, fails: [], asked: [], gate: Promise.resolve() })
  told = []
  $out.set(null)
  openRoom(view(3))
  stop = onEvents((events) => told.push(...events.map(({ seq }) => seq)))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

describe('a room in a tab', () => {
  test('takes each event once, by its number, and none that it came with', () => {
    says(slide(3), slide(4))
    says(slide(4), slide(5))
    says(slide(5))
    expect(told).toEqual([4, 5])
    expect(page()).toBe(5)
  })

  test('reads what it missed, and then what was said while it read', async () => {
    server.log = slides(1, 9)
    const gate = Promise.withResolvers()
    server.gate = gate.promise
    line.hearing?.missed()
    says(slide(9), slide(10))
    expect(told).toEqual([])
    gate.resolve(null)
    await vi.advanceTimersByTimeAsync(0)
    expect(server.asked).toEqual([3])
    expect(told).toEqual([4, 5, 6, 7, 8, 9, 10])
  })

  test('closes the gap although the first tries fail, and lets nothing overtake it', async () => {
    server.log = slides(1, 6)
    server.fails = [new CallError('unreachable', 0, ''), new CallError('too_many', 429, '')]
    line.hearing?.missed()
    await vi.advanceTimersByTimeAsync(1000)
    says(slide(7))
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(4000)
    expect(server.asked).toEqual([3, 3, 3])
    expect(told).toEqual([4, 5, 6, 7])
    expect($out.get()).toBeNull()
  })

  test('asks once more when it missed something again meanwhile', async () => {
    server.log = slides(1, 5)
    const gate = Promise.withResolvers()
    server.gate = gate.promise
    line.hearing?.missed()
    line.hearing?.missed()
    gate.resolve(null)
    await vi.advanceTimersByTimeAsync(0)
    expect(server.asked).toEqual([3, 5])
    expect(told).toEqual([4, 5])
  })

  test('that missed very much is read anew, whole', async () => {
    Object.assign(server, { log: slides(1, 40), page: 5 })
    line.hearing?.missed()
    await vi.advanceTimersByTimeAsync(0)
    expect(server.asked).toEqual([3, 8, 13])
    expect(page()).toBe(40)
    says(slide(40), slide(41))
    expect([told.at(-1), page()]).toEqual([41, 41])
  })

  test.each([
    ['banned', 'banned'],
    ['no_seat', 'limit'],
    ['', 'ended'],
  ])('is left where the server refuses because of %j: %s', async (because, why) => {
    server.fails = [new CallError('forbidden', 403, '', { because })]
    line.hearing?.missed()
    await vi.advanceTimersByTimeAsync(0)
    expect($out.get()).toBe(why)
  })

  test('is read anew when the role is another one, and not for a role that is known', async () => {
    line.hearing?.news({ role: 'viewer' })
    await vi.advanceTimersByTimeAsync(0)
    expect($anew.get()).toBeNull()
    line.hearing?.news({ role: 'moderator' })
    await vi.advanceTimersByTimeAsync(0)
    expect($anew.get()).toMatchObject({ sessionId: 's' })
  })
})
