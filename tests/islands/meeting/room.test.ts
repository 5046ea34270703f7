import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomStreamHandlers } from '#islands/meeting/connection.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ChatSettings, type RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'

/** The server: its log, and what stops it from answering. */
const server = vi.hoisted(() => ({
  log: [] as RoomEvent[],
  page: 1000,
  failures: [] as unknown[],
  requestedAfter: [] as number[],
  /** Answers wait for it. */
  responseDelay: Promise.resolve() as Promise<unknown>,
}))
const connection = vi.hoisted(() => ({ hearing: null as RoomStreamHandlers | null }))

vi.mock('#islands/meeting/connection.ts', () => ({
  connect: (_address: () => string, _from: string, hearing: RoomStreamHandlers) => {
    connection.hearing = hearing
    return () => {}
  },
}))
vi.mock('#islands/meeting/room-api.ts', () => ({
  actsFor: () => ({
    listEvents: async ({ after }: { after: number }) => {
      server.requestedAfter.push(after)
      await server.responseDelay
      const failure = server.failures.shift()
      if (failure) throw failure
      const rest = server.log.filter(({ seq }) => seq > after)
      return { events: rest.slice(0, server.page), more: rest.length > server.page, role: 'viewer' }
    },
    getRoom: async () => roomView(server.log.at(-1)?.seq ?? 0),
  }),
}))
const { $reloadedView: $anew, $exitReason: $out, $state, onEvents, openRoom } = await import('#islands/meeting/room.ts')

const slideEvent = (seq: number): RoomEvent => ({
  seq,
  at: seq * 1000,
  offsetMs: seq * 1000,
  actorId: null,
  audience: 'all',
  type: 'slide.change',
  payload: { fileId: null, page: seq },
})
const slideEvents = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => slideEvent(from + index))

function roomView(lastSeq: number): RoomView {
  const state = {
    ...initialRoomState(ChatSettings.parse({}), null),
    slide: { fileId: null, page: Math.max(1, lastSeq) },
  }
  const me = { personId: 'p', name: 'Оля', role: 'viewer', kind: 'guest', locale: 'uk', mutedUntil: null }
  const rest = { online: 0, votes: {}, staff: null, tally: null, auto: null, serverNow: Date.now(), media: null }
  return Object.assign({ ...rest, ticket: 't', sessionId: 's', lastSeq, liveId: null, state, me }) as never
}

let receivedSeqs: number[]
let stop = () => {}
const receive = (...events: RoomEvent[]) => connection.hearing?.onUpdate({ events })
const page = () => $state.get()?.slide.page
beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(server, { log: slideEvents(1, 3), page: 1000, fails: [], asked: [], gate: Promise.resolve() })
  receivedSeqs = []
  $out.set(null)
  openRoom(roomView(3))
  stop = onEvents((events) => receivedSeqs.push(...events.map(({ seq }) => seq)))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

describe('a room in a tab', () => {
  test('takes each event once, by its number, and none that it came with', () => {
    receive(slideEvent(3), slideEvent(4))
    receive(slideEvent(4), slideEvent(5))
    receive(slideEvent(5))
    expect(receivedSeqs).toEqual([4, 5])
    expect(page()).toBe(5)
  })

  test('reads what it missed, and then what was said while it read', async () => {
    server.log = slideEvents(1, 9)
    const gate = Promise.withResolvers()
    server.responseDelay = gate.promise
    connection.hearing?.onGap()
    receive(slideEvent(9), slideEvent(10))
    expect(receivedSeqs).toEqual([])
    gate.resolve(null)
    await vi.advanceTimersByTimeAsync(0)
    expect(server.requestedAfter).toEqual([3])
    expect(receivedSeqs).toEqual([4, 5, 6, 7, 8, 9, 10])
  })

  test('closes the gap although the first tries fail, and lets nothing overtake it', async () => {
    server.log = slideEvents(1, 6)
    server.failures = [new CallError('unreachable', 0, ''), new CallError('too_many', 429, '')]
    connection.hearing?.onGap()
    await vi.advanceTimersByTimeAsync(1000)
    receive(slideEvent(7))
    expect(receivedSeqs).toEqual([])
    await vi.advanceTimersByTimeAsync(4000)
    expect(server.requestedAfter).toEqual([3, 3, 3])
    expect(receivedSeqs).toEqual([4, 5, 6, 7])
    expect($out.get()).toBeNull()
  })

  test('asks once more when it missed something again meanwhile', async () => {
    server.log = slideEvents(1, 5)
    const gate = Promise.withResolvers()
    server.responseDelay = gate.promise
    connection.hearing?.onGap()
    connection.hearing?.onGap()
    gate.resolve(null)
    await vi.advanceTimersByTimeAsync(0)
    expect(server.requestedAfter).toEqual([3, 5])
    expect(receivedSeqs).toEqual([4, 5])
  })

  test('that missed very much is read anew, whole', async () => {
    Object.assign(server, { log: slideEvents(1, 40), page: 5 })
    connection.hearing?.onGap()
    await vi.advanceTimersByTimeAsync(0)
    expect(server.requestedAfter).toEqual([3, 8, 13])
    expect(page()).toBe(40)
    receive(slideEvent(40), slideEvent(41))
    expect([receivedSeqs.at(-1), page()]).toEqual([41, 41])
  })

  test.each([
    ['banned', 'banned'],
    ['no_seat', 'limit'],
    ['', 'ended'],
  ])('is left where the server refuses because of %j: %s', async (because, why) => {
    server.failures = [new CallError('forbidden', 403, '', { because })]
    connection.hearing?.onGap()
    await vi.advanceTimersByTimeAsync(0)
    expect($out.get()).toBe(why)
  })

  test('is read anew when the role is another one, and not for a role that is known', async () => {
    connection.hearing?.onUpdate({ role: 'viewer' })
    await vi.advanceTimersByTimeAsync(0)
    expect($anew.get()).toBeNull()
    connection.hearing?.onUpdate({ role: 'moderator' })
    await vi.advanceTimersByTimeAsync(0)
    expect($anew.get()).toMatchObject({ sessionId: 's' })
  })
})
