import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEventStream, type EventStream, type EventStreamOptions } from '#islands/stores/event-stream.ts'
import { FakeEventSource } from './fake-event-source.ts'

const page = Object.assign(new EventTarget(), { hidden: false })
let calls: string[]
let address: string
let status: number
let stream: EventStream

beforeEach(() => {
  vi.useFakeTimers()
  FakeEventSource.all = []
  calls = []
  address = '/v1/stream?channel=a'
  status = 503
  page.hidden = false
  const browserWindow = new EventTarget()
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('location', { origin: 'https://school.test' })
  vi.stubGlobal('document', page)
  vi.stubGlobal('fetch', async () => new Response('', { status }))
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, browserWindow[name].bind(browserWindow))
})
afterEach(() => {
  stream.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function openStream(options: Partial<EventStreamOptions> = {}): void {
  stream = createEventStream({
    getAddress: () => address,
    retry: { firstMs: 1000, maxMs: 8000 },
    onMessage: (data) => calls.push(`message ${JSON.stringify(data)}`),
    onGap: (reason) => calls.push(`gap ${reason}`),
    onOpen: () => calls.push('open'),
    onInterrupted: () => calls.push('interrupted'),
    onSuspended: () => calls.push('suspended'),
    ...options,
  })
  stream.open()
}

function changeVisibility(hidden: boolean): void {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}

const { last } = FakeEventSource
const count = () => FakeEventSource.all.length

describe('an event stream', () => {
  test('passes messages and resumes after the last one', async () => {
    openStream({ lastEventId: '7' })
    expect(last().url.href).toBe('https://school.test/v1/stream?channel=a&lastEventId=7')
    last().simulateOpen()
    last().simulateMessage({ text: 'Так' }, '8')
    last().simulateError(true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(last().url.searchParams.get('lastEventId')).toBe('8')
    expect(calls).toEqual(['open', 'message {"text":"Так"}', 'interrupted'])
  })

  test('reports a gap after a reset, and when it opens without a last event id', () => {
    openStream()
    last().simulateOpen()
    last().dispatchEvent(new MessageEvent('reset', { lastEventId: '90' }))
    expect(calls).toEqual(['gap noEventId', 'open', 'gap reset'])
  })

  test('leaves interruptions to the browser, and retries a closed stream with growing delays', async () => {
    openStream()
    last().simulateError()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(count()).toBe(1)
    const delays = [1000, 2000, 4000, 8000, 8000]
    for (const [index, delayMs] of delays.entries()) {
      last().simulateError(true)
      await vi.advanceTimersByTimeAsync(delayMs - 1)
      expect(count()).toBe(index + 1)
      await vi.advanceTimersByTimeAsync(1)
      expect(count()).toBe(index + 2)
    }
  })

  test.each([
    [404, 1],
    [429, 0],
    [503, 0],
  ])('is refused by status %d %d times', async (response, refusals) => {
    const onRefused = vi.fn()
    status = response
    openStream({ onRefused })
    for (let attempt = 0; attempt < 2; attempt++) {
      last().simulateError(true)
      await vi.advanceTimersByTimeAsync(2000)
    }
    expect(onRefused).toHaveBeenCalledTimes(refusals)
    expect(count()).toBe(refusals > 0 ? 2 : 3)
  })

  test('closes offline and connects at once when the network is back', async () => {
    openStream({ followsNetwork: true })
    last().simulateOpen()
    dispatchEvent(new Event('offline'))
    expect(stream.isConnected()).toBe(false)
    dispatchEvent(new Event('online'))
    expect(count()).toBe(2)
  })

  test('connects again after a sleep of the device', async () => {
    openStream({ followsNetwork: true })
    last().simulateOpen()
    vi.setSystemTime(Date.now() + 60_000)
    await vi.advanceTimersByTimeAsync(5000)
    expect(count()).toBe(2)
  })

  test('is suspended while the page is hidden, not at once, and opened when it is visible', async () => {
    openStream({ suspendHiddenAfterMs: 30_000 })
    last().simulateOpen()
    changeVisibility(true)
    await vi.advanceTimersByTimeAsync(29_999)
    changeVisibility(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(count()).toBe(1)
    changeVisibility(true)
    await vi.advanceTimersByTimeAsync(30_000)
    expect([calls.at(-1), stream.isConnected()]).toEqual(['suspended', false])
    changeVisibility(false)
    expect(count()).toBe(2)
  })

  test('does nothing after it is closed, and opens again at the current address', async () => {
    openStream({ followsNetwork: true, suspendHiddenAfterMs: 30_000 })
    last().simulateError(true)
    stream.close()
    dispatchEvent(new Event('online'))
    changeVisibility(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(count()).toBe(1)
    address = '/v1/stream?channel=b'
    stream.open()
    expect(last().url.searchParams.get('channel')).toBe('b')
  })
})
