import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError } from '#islands/stores/call-error.ts'
import { createOutbox, type OutboxOptions } from '#islands/stores/outbox/outbox.ts'
import type { OutboxItem, OutboxStorage } from '#islands/stores/outbox/outbox-storage.ts'

const offline = () => new CallError('unreachable', 0, '')
const fault = () => new CallError('internal', 500, '')
const refusal = (reason: string) => new CallError('forbidden', 403, '', { reason })

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

type Item = OutboxItem<string>

/** An outbox of texts; each attempt meets the next of `errors` or succeeds. */
function openBox(errors: CallError[] = [], options: Partial<OutboxOptions<string, void>> = {}, stored: Item[] = []) {
  const sent: string[] = []
  const storage: OutboxStorage<string> = {
    loadItems: () => [...stored],
    put(item) {
      const index = stored.findIndex(({ id }) => id === item.id)
      stored.splice(index < 0 ? stored.length : index, index < 0 ? 0 : 1, item)
    },
    remove: (id) => void stored.splice(0, stored.length, ...stored.filter((item) => item.id !== id)),
  }
  const outbox = createOutbox<string, void>({
    storage,
    async send(text) {
      sent.push(text)
      const error = errors.shift()
      if (error) throw error
    },
    onFailed: () => 'keep',
    ...options,
  })
  return { outbox, sent, stored }
}

const settle = () => vi.advanceTimersByTimeAsync(0)
const goOnline = () => {
  window.dispatchEvent(new Event('online'))
  return settle()
}

describe('an outbox', () => {
  test('sends items in order, one after another, each id once', async () => {
    const { outbox, sent, stored } = openBox()
    for (const text of ['раз', 'два', 'раз']) outbox.add(text, text)
    expect(stored.map(({ payload }) => payload)).toEqual(['раз', 'два'])
    await settle()
    expect([sent, outbox.list(), stored]).toEqual([['раз', 'два'], [], []])
  })

  test('keeps items and their order until the network is back', async () => {
    const { outbox, sent } = openBox([offline()])
    outbox.add('раз')
    outbox.add('два')
    await settle()
    expect(outbox.list()).toMatchObject([
      { state: 'waiting', cause: 'offline' },
      { state: 'waiting', cause: null },
    ])
    await goOnline()
    expect([sent, outbox.list()]).toEqual([['раз', 'раз', 'два'], []])
  })

  test('retries without an end while there is no network', async () => {
    const { outbox, sent } = openBox(Array.from({ length: 20 }, offline))
    outbox.add('раз')
    await vi.advanceTimersByTimeAsync(600_000)
    expect([sent.length, outbox.list()]).toEqual([21, []])
  })

  test('marks an item as failed after repeated server errors and continues with the next', async () => {
    const { outbox, sent, stored } = openBox([fault(), fault(), fault()])
    outbox.add('перше')
    outbox.add('друге')
    await settle()
    expect(outbox.list()[0]).toMatchObject({ state: 'waiting', cause: 'server' })
    // A server error is not retried when the network is back.
    await goOnline()
    expect(sent).toEqual(['перше'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toEqual(['перше', 'перше', 'перше', 'друге'])
    expect(outbox.list()).toMatchObject([{ payload: 'перше', state: 'failed', cause: 'server' }])
    await vi.advanceTimersByTimeAsync(3_600_000)
    await goOnline()
    expect([sent.length, stored.length]).toEqual([4, 1])
  })

  test('waits for the time given by a rate limit', async () => {
    const { outbox, sent } = openBox([new CallError('too_many', 429, '', { retryAfterSeconds: 10 })])
    outbox.add('раз')
    await vi.advanceTimersByTimeAsync(9900)
    expect([outbox.list()[0]?.cause, sent.length]).toEqual(['throttled', 1])
    await vi.advanceTimersByTimeAsync(100)
    expect([sent.length, outbox.list()]).toEqual([2, []])
  })

  test('never retries a refused item by itself, and continues with the next', async () => {
    const { outbox, sent } = openBox([refusal('muted')])
    outbox.add('раз', 'раз')
    outbox.add('два')
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(sent).toEqual(['раз', 'два'])
    expect(outbox.list()).toMatchObject([{ payload: 'раз', state: 'failed', cause: 'refused', reason: 'muted' }])
    outbox.retry('раз')
    await settle()
    expect(outbox.list()).toEqual([])
  })

  test('discards what its owner does not keep', async () => {
    const failed: string[] = []
    const onFailed = ({ payload }: Item) => {
      failed.push(payload)
      return 'discard' as const
    }
    const { outbox, stored } = openBox([refusal('closed')], { onFailed })
    outbox.add('раз')
    await settle()
    expect([failed, outbox.list(), stored]).toEqual([['раз'], [], []])
  })

  test('restores unsent and failed items after a reload, before new ones', async () => {
    const before = openBox([refusal('muted'), offline()])
    before.outbox.add('відхилене')
    before.outbox.add('чекає')
    await settle()
    before.outbox.close()
    const after = openBox([], {}, before.stored)
    after.outbox.add('нове')
    await settle()
    expect(after.sent).toEqual(['чекає', 'нове'])
    expect(after.outbox.list()).toMatchObject([{ payload: 'відхилене', state: 'failed' }])
  })
})

describe('an outbox that merges', () => {
  const merge = (queued: string, added: string) => (queued[0] === added[0] ? queued + added.slice(1) : null)
  const delayed = { merge, delayMs: 10_000 }

  test('sends what belongs together as one item, after its delay', async () => {
    const { outbox, sent, stored } = openBox([], delayed)
    for (const text of ['а1', 'а2', 'б1', 'а3']) outbox.add(text)
    await vi.advanceTimersByTimeAsync(9000)
    expect([sent, stored.map(({ payload }) => payload).sort()]).toEqual([[], ['а123', 'б1']])
    await vi.advanceTimersByTimeAsync(1000)
    expect([sent, stored]).toEqual([['а123', 'б1'], []])
  })

  test('sends delayed items immediately on request, and reports when they are sent or waiting', async () => {
    const { outbox, sent } = openBox([offline()], delayed)
    outbox.add('а1')
    await outbox.flush()
    expect([sent, outbox.list()[0]?.state]).toEqual([['а1'], 'waiting'])
    await goOnline()
    expect(sent).toEqual(['а1', 'а1'])
    await outbox.flush()
  })

  test('does not change an item that is being sent', async () => {
    const { outbox, sent } = openBox([offline()], delayed)
    outbox.add('а1')
    await outbox.flush()
    outbox.add('а2')
    outbox.add('а3')
    await goOnline()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toEqual(['а1', 'а1', 'а23'])
  })

  test('adds to a failed item without sending it', async () => {
    const { outbox, sent } = openBox([fault(), fault(), fault()], delayed)
    outbox.add('а1')
    await vi.advanceTimersByTimeAsync(60_000)
    outbox.add('а2')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([sent.length, outbox.list()]).toMatchObject([3, [{ payload: 'а12', state: 'failed' }]])
  })
})
