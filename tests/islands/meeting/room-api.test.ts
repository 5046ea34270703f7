import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError } from '#islands/stores/call-error.ts'

/** The errors of the next responses, in order; later requests succeed. */
let answers: CallError[] = []
const sent: string[] = []

const { createRoomApi } = await import('#islands/meeting/room-api.ts')

beforeEach(() => {
  vi.useFakeTimers()
  sent.length = 0
  const kept = new Map<string, string>()
  vi.stubGlobal('location', { origin: 'https://school.kafedra.test' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(new URL(request.url).pathname)
    const failure = answers.shift()
    if (failure?.status === 0) throw new TypeError('Failed to fetch')
    if (failure) return Response.json({ code: failure.code, message: failure.message }, { status: failure.status })
    return Response.json({ seq: 1 })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  answers = []
})

const actions = () => createRoomApi(() => 'seatToken', 'session')
const click = () => actions().clickButton({ buttonId: '00000000-0000-4000-8000-000000000001' })

describe('a call that must not be lost', () => {
  test('is sent until the network is back', async () => {
    answers = Array.from({ length: 6 }, () => new CallError('unreachable', 0, ''))
    const done = click()
    await vi.advanceTimersByTimeAsync(120_000)
    await done
    expect(sent).toHaveLength(7)
    expect(sessionStorage.getItem('meeting/calls session')).toBeNull()
  })

  test('is given up after repeated server errors, also over a reload', async () => {
    answers = Array.from({ length: 50 }, () => new CallError('internal', 500, ''))
    const done = click().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(await done).toMatchObject({ status: 500 })
    expect(sent).toHaveLength(3)
    actions()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(sent).toHaveLength(3)
  })

  test('is not sent again once it is refused', async () => {
    answers = [new CallError('gone', 410, 'Минуло')]
    await expect(click()).rejects.toMatchObject({ status: 410, message: 'Минуло' })
    expect(sent).toHaveLength(1)
  })
})
