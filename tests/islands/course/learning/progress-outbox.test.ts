import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createProgressOutbox,
  type ProgressTransport,
  type RefusedProgress,
  type UnsentReason,
} from '#islands/course/learning/progress-outbox.ts'
import { CallError } from '#islands/stores/call-error.ts'

type Item = Awaited<ReturnType<ProgressTransport['storage']['loadItems']>>[number]

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** The outbox of a visit; each request meets the next of `errors`. `device` survives the visit. */
function openVisit(errors: CallError[], device = new Map<string, Item>(), title = 'Урок') {
  const sent: Parameters<ProgressTransport['send']>[0][] = []
  const seen: { refused: readonly RefusedProgress[]; reason: UnsentReason; reverted: string[] } = {
    refused: [],
    reason: 'nothing',
    reverted: [],
  }
  const outbox = createProgressOutbox(
    'member',
    title,
    {
      onSaved: () => undefined,
      onRefused: (lessonId) => void seen.reverted.push(lessonId),
      onUnsent: (reason) => void Object.assign(seen, { reason }),
      onRefusedChange: (refused) => void Object.assign(seen, { refused }),
    },
    {
      storage: {
        loadItems: () => [...device.values()].map((item) => ({ ...item, state: 'waiting', cause: null })),
        put: (item) => void device.set(item.id, item),
        remove: (id) => void device.delete(id),
      },
      async send(progress) {
        sent.push(progress)
        const error = errors.shift()
        if (error) throw error
        return null
      },
    },
  )
  return { outbox, sent, seen, device }
}

const locked = () => new CallError('forbidden', 403, 'Урок закрито', { reason: 'ended' })
const unfinished = () => new CallError('unprocessable', 422, 'Урок не завершено', { missing: { kind: 'watched' } })

test('progress that the server refuses stays on the device, is shown with its reason, and is sent at the next visit', async () => {
  const first = openVisit([locked()])
  first.outbox.addWatched('a', { video: [[0, 60]] }, {})
  await vi.advanceTimersByTimeAsync(10_000)
  expect(first.seen).toEqual({
    refused: [{ lessonId: 'a', title: 'Урок', message: 'Урок закрито' }],
    reason: 'nothing',
    reverted: ['a'],
  })
  first.outbox.close()
  const second = openVisit([], first.device)
  await second.outbox.flush()
  expect(second.sent).toMatchObject([{ lessonId: 'a', watched: { video: [[0, 60]] } }])
  expect(second.device.size).toBe(0)
})

test('what is watched after a refusal is sent with the refused part, and the button sends both', async () => {
  const { outbox, sent, seen, device } = openVisit([locked(), locked()])
  outbox.addWatched('a', { video: [[0, 60]] }, {})
  await vi.advanceTimersByTimeAsync(10_000)
  outbox.addWatched('a', { video: [[60, 90]] }, {})
  expect(seen.refused).toEqual([])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent.at(-1)).toMatchObject({ watched: { video: [[0, 90]] } })
  expect(seen.refused).toHaveLength(1)
  outbox.retryRefused()
  await vi.advanceTimersByTimeAsync(0)
  expect([sent.length, seen.refused, device.size]).toEqual([3, [], 0])
})

test('a completion before all parts are watched is shown as not done, and is not sent again', async () => {
  const { outbox, seen, device } = openVisit([unfinished()])
  outbox.addCompletion('a', true)
  await vi.advanceTimersByTimeAsync(0)
  expect(seen).toEqual({ refused: [], reason: 'nothing', reverted: ['a'] })
  expect(device.size).toBe(0)
})
