import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomStreamHandlers } from '#islands/meeting/connection.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ChatSettings, type RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'

/** The simulated server: its event log, and the errors of its next responses. */
const server = vi.hoisted(() => ({
  log: [] as RoomEvent[],
  page: 1000,
  failures: [] as unknown[],
  requestedAfter: [] as number[],
  /** Responses wait for this promise. */
  responseDelay: Promise.resolve() as Promise<unknown>,
}))
const connection = vi.hoisted(() => ({ handlers: null as RoomStreamHandlers | null }))

vi.mock('#islands/meeting/connection.ts', () => ({
  connectRoom: (_getAddress: () => string, _lastEventId: string, handlers: RoomStreamHandlers) => {
    connection.handlers = handlers
    return () => {}
  },
}))
vi.mock('#islands/meeting/room-api.ts', () => ({
  createRoomApi: () => ({
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
const { $exitReason, $reloadedView, $state, onEvents, openRoom } = await import('#islands/meeting/room.ts')

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
  return Object.assign({ ...rest, seatToken: 't', sessionId: 's', lastSeq, liveId: null, state, me }) as never
}

let receivedSeqs: number[]
let stop = () => {}
const receive = (...events: RoomEvent[]) => connection.handlers?.onUpdate({ events })
const page = () => $state.get()?.slide.page
beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(server, {
    log: slideEvents(1, 3),
    page: 1000,
    failures: [],
    requestedAfter: [],
    responseDelay: Promise.resolve(),
  })
  receivedSeqs = []
  $exitReason.set(null)
  openRoom(roomView(3))
  stop = onEvents((events) => receivedSeqs.push(...events.map(({ seq }) => seq)))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

describe('the room in a tab', () => {
  test('applies each event once, and none that its view already contains', () => {
    receive(slideEvent(3), slideEvent(4))
    receive(slideEvent(4), slideEvent(5))
    receive(slideEvent(5))
    expect(receivedSeqs).toEqual([4, 5])
    expect(page()).toBe(5)
  })

  test('loads missed events before those that arrive meanwhile', async () => {
    server.log = slideEvents(1, 9)
    const gate = Promise.withResolvers()
    server.responseDelay = gate.promise
    connection.handlers?.onGap()
    receive(slideEvent(9), slideEvent(10))
    expect(receivedSeqs).toEqual([])
    gate.resolve(null)
    await vi.advanceTimersByTimeAsync(0)
    expect(server.requestedAfter).toEqual([3])
    expect(receivedSeqs).toEqual([4, 5, 6, 7, 8, 9, 10])
  })

  test('closes the gap after failed attempts, and keeps the order of events', async () => {
    server.log = slideEvents(1, 6)
    server.failures = [new CallError('unreachable', 0, ''), new CallError('too_many', 429, '')]
    connection.handlers?.onGap()
    await vi.advanceTimersByTimeAsync(1000)
    receive(slideEvent(7))
    expect(receivedSeqs).toEqual([])
    await vi.advanceTimersByTimeAsync(4000)
    expect(server.requestedAfter).toEqual([3, 3, 3])
    expect(receivedSeqs).toEqual([4, 5, 6, 7])
    expect($exitReason.get()).toBeNull()
  })

  test('loads missed events again when another gap is reported meanwhile', async () => {
    server.log = slideEvents(1, 5)
    const gate = Promise.withResolvers()
    server.responseDelay = gate.promise
    connection.handlers?.onGap()
    connection.handlers?.onGap()
    gate.resolve(null)
    await vi.advanceTimersByTimeAsync(0)
    expect(server.requestedAfter).toEqual([3, 5])
    expect(receivedSeqs).toEqual([4, 5])
  })

  test('loads the whole view when too many events were missed', async () => {
    Object.assign(server, { log: slideEvents(1, 40), page: 5 })
    connection.handlers?.onGap()
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
  ])('is left when the server refuses with the reason %j: %s', async (reason, why) => {
    server.failures = [new CallError('forbidden', 403, '', { reason })]
    connection.handlers?.onGap()
    await vi.advanceTimersByTimeAsync(0)
    expect($exitReason.get()).toBe(why)
  })

  test('is loaded again when the role changes, and not for the same role', async () => {
    connection.handlers?.onUpdate({ role: 'viewer' })
    await vi.advanceTimersByTimeAsync(0)
    expect($reloadedView.get()).toBeNull()
    connection.handlers?.onUpdate({ role: 'moderator' })
    await vi.advanceTimersByTimeAsync(0)
    expect($reloadedView.get()).toMatchObject({ sessionId: 's' })
  })
})
