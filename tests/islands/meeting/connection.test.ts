import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { $roomConnection, connectRoom } from '#islands/meeting/connection.ts'
import type { RoomUpdate } from '#lib/meeting/room-schema.ts'
import { FakeEventSource } from '../stores/fake-event-source.ts'

const lastSource = FakeEventSource.last

let received: { updates: RoomUpdate[]; gaps: number; refusals: number }
let status: number
let close = () => {}
const handlers = {
  onUpdate: (update: RoomUpdate) => void received.updates.push(update),
  onGap: () => void received.gaps++,
  onRefused: () => void received.refusals++,
}
beforeEach(() => {
  vi.useFakeTimers()
  FakeEventSource.all = []
  received = { updates: [], gaps: 0, refusals: 0 }
  status = 503
  const page = new EventTarget()
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('location', { origin: 'https://school.test' })
  vi.stubGlobal('fetch', async () => new Response('', { status }))
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, page[name].bind(page))
})
afterEach(() => {
  close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const open = (from = '7') => {
  close = connectRoom(() => '/v1/meeting/live?seatToken=t', from, handlers)
}

describe('the stream of a room', () => {
  test('is lost eight seconds after an interruption, and open again afterwards', async () => {
    open()
    lastSource().simulateOpen()
    expect($roomConnection.get()).toBe('open')
    lastSource().simulateError()
    expect($roomConnection.get()).toBe('connecting')
    await vi.advanceTimersByTimeAsync(7999)
    expect($roomConnection.get()).toBe('connecting')
    await vi.advanceTimersByTimeAsync(1)
    expect($roomConnection.get()).toBe('lost')
    lastSource().simulateOpen()
    expect($roomConnection.get()).toBe('open')
    await vi.advanceTimersByTimeAsync(20_000)
    expect($roomConnection.get()).toBe('open')
  })

  test('is lost when it never opens', async () => {
    open()
    await vi.advanceTimersByTimeAsync(8000)
    expect($roomConnection.get()).toBe('lost')
  })

  test('resumes after the last event id', async () => {
    open()
    expect(lastSource().url.searchParams.get('lastEventId')).toBe('7')
    lastSource().simulateOpen()
    lastSource().simulateMessage({ payload: { online: 3 } }, '9')
    lastSource().simulateError(true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(FakeEventSource.all).toHaveLength(2)
    expect(lastSource().url.searchParams.get('lastEventId')).toBe('9')
    expect(received).toEqual({ updates: [{ online: 3 }], gaps: 0, refusals: 0 })
  })

  test('reports a gap after a reset, and when it opens without a last event id', () => {
    open()
    lastSource().simulateOpen()
    lastSource().dispatchEvent(new MessageEvent('reset', { lastEventId: '90' }))
    expect(received.gaps).toBe(1)
    close()
    open('')
    lastSource().simulateOpen()
    expect(received.gaps).toBe(2)
  })

  test('reconnects to an unavailable server, and gives up after a refusal', async () => {
    open()
    for (let turn = 0; turn < 3; turn++) {
      lastSource().simulateError(true)
      await vi.advanceTimersByTimeAsync(10_000)
    }
    expect(FakeEventSource.all).toHaveLength(4)
    expect(received.refusals).toBe(0)
    status = 403
    lastSource().simulateError(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([FakeEventSource.all.length, received.refusals]).toEqual([4, 1])
  })

  test.each([400, 404, 410])('gives up after status %d', async (answered) => {
    open()
    status = answered
    for (let turn = 0; turn < 2; turn++) {
      lastSource().simulateError(true)
      await vi.advanceTimersByTimeAsync(2000)
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect([FakeEventSource.all.length, received.refusals]).toEqual([2, 1])
  })

  test('opens no second connection when the network comes back during a scheduled attempt', async () => {
    open()
    lastSource().simulateError(true)
    await vi.advanceTimersByTimeAsync(1000)
    lastSource().simulateError(true)
    dispatchEvent(new Event('online'))
    lastSource().simulateOpen()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(FakeEventSource.all.filter(({ readyState }) => readyState === FakeEventSource.OPEN)).toEqual([lastSource()])
    expect(FakeEventSource.all).toHaveLength(3)
  })

  test('does nothing after it is closed', async () => {
    open()
    lastSource().simulateOpen()
    lastSource().simulateError(true)
    close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([FakeEventSource.all.length, received.refusals]).toEqual([1, 0])
  })
})
