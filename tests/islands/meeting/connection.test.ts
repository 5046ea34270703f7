import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { $connection, connect } from '#islands/meeting/connection.ts'
import type { RoomNews } from '#lib/meeting/room-schema.ts'

/** A browser's stream whose server is the test. */
class Stream extends EventTarget {
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static all: Stream[] = []
  readonly url: URL
  readyState = 0
  onopen: (() => void) | null = null
  onmessage: ((event: MessageEvent) => void) | null = null
  onerror: (() => void) | null = null

  constructor(url: URL) {
    super()
    this.url = url
    Stream.all.push(this)
  }

  opens(): void {
    this.readyState = Stream.OPEN
    this.onopen?.()
  }

  says(payload: RoomNews, lastEventId: string): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify({ payload }), lastEventId }))
  }

  /** Breaks; the browser tries again by itself, unless it was refused. */
  breaks(refused = false): void {
    this.readyState = refused ? Stream.CLOSED : 0
    this.onerror?.()
  }

  close(): void {
    this.readyState = Stream.CLOSED
  }
}

const last = (): Stream => {
  const stream = Stream.all.at(-1)
  if (!stream) throw new Error('nothing was opened')
  return stream
}

let heard: { news: RoomNews[]; missed: number; refused: number }
let status: number
let close = () => {}
const hearing = {
  news: (news: RoomNews) => void heard.news.push(news),
  missed: () => void heard.missed++,
  refused: () => void heard.refused++,
}
beforeEach(() => {
  vi.useFakeTimers()
  Stream.all = []
  heard = { news: [], missed: 0, refused: 0 }
  status = 503
  const page = new EventTarget()
  vi.stubGlobal('EventSource', Stream)
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
  close = connect(() => '/v1/meeting/live?ticket=t', from, hearing)
}

describe('the stream of a room', () => {
  test('that breaks is lost after eight seconds, not before, and found again', async () => {
    open()
    last().opens()
    expect($connection.get()).toBe('open')
    last().breaks()
    expect($connection.get()).toBe('connecting')
    await vi.advanceTimersByTimeAsync(7999)
    expect($connection.get()).toBe('connecting')
    await vi.advanceTimersByTimeAsync(1)
    expect($connection.get()).toBe('lost')
    last().opens()
    expect($connection.get()).toBe('open')
    await vi.advanceTimersByTimeAsync(20_000)
    expect($connection.get()).toBe('open')
  })

  test('that never opens is lost too', async () => {
    open()
    await vi.advanceTimersByTimeAsync(8000)
    expect($connection.get()).toBe('lost')
  })

  test('goes on after what was heard last', async () => {
    open()
    expect(last().url.searchParams.get('lastEventId')).toBe('7')
    last().opens()
    last().says({ online: 3 }, '9')
    last().breaks(true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(Stream.all).toHaveLength(2)
    expect(last().url.searchParams.get('lastEventId')).toBe('9')
    expect(heard).toEqual({ news: [{ online: 3 }], missed: 0, refused: 0 })
  })

  test('says when something was missed: after a reset, and when it never knew where it was', () => {
    open()
    last().opens()
    last().dispatchEvent(new MessageEvent('reset', { lastEventId: '90' }))
    expect(heard.missed).toBe(1)
    close()
    open('')
    last().opens()
    expect(heard.missed).toBe(2)
  })

  test('tries again after a server that is away, and gives up where it is shown the door', async () => {
    open()
    for (let turn = 0; turn < 3; turn++) {
      last().breaks(true)
      await vi.advanceTimersByTimeAsync(10_000)
    }
    expect(Stream.all).toHaveLength(4)
    expect(heard.refused).toBe(0)
    status = 403
    last().breaks(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([Stream.all.length, heard.refused]).toEqual([4, 1])
  })

  test.each([400, 404, 410])('gives up where it is answered %d', async (answered) => {
    open()
    status = answered
    for (let turn = 0; turn < 2; turn++) {
      last().breaks(true)
      await vi.advanceTimersByTimeAsync(2000)
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect([Stream.all.length, heard.refused]).toEqual([2, 1])
  })

  test('is one only: a network that is back does not open a second beside the try that waits', async () => {
    open()
    last().breaks(true)
    await vi.advanceTimersByTimeAsync(1000)
    last().breaks(true)
    dispatchEvent(new Event('online'))
    last().opens()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(Stream.all.filter(({ readyState }) => readyState === Stream.OPEN)).toEqual([last()])
    expect(Stream.all).toHaveLength(3)
  })

  test('is silent once the page has left', async () => {
    open()
    last().opens()
    last().breaks(true)
    close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([Stream.all.length, heard.refused]).toEqual([1, 0])
  })
})
