import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { routeOf } from '#islands/stores/api.ts'
import { $mutationCount } from '#islands/stores/busy.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { $notices } from '#islands/stores/notice.ts'

const sent: Request[] = []
let answer: () => Response | Promise<Response>

async function call(room: string, action: string, input?: unknown, options?: { context: { isQuiet?: boolean } }) {
  const { api } = await import('#islands/stores/api.ts')
  const procedures: Record<string, (input: unknown, options?: object) => Promise<unknown>> = Reflect.get(api, room)
  return procedures[action]?.(input, options)
}

const refuse = (status: number, body: object) => () => Response.json(body, { status })

beforeEach(() => {
  sent.length = 0
  $notices.set([])
  vi.stubGlobal('location', { origin: 'http://demo.kafedra.localhost:4321' })
  vi.stubGlobal('fetch', async (request: Request, init: RequestInit) => {
    sent.push(new Request(request, init))
    return answer()
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('browser API client', () => {
  test.each([
    ['course', 'list', 'GET'],
    ['course', 'getLesson', 'GET'],
    ['course', 'countWaiting', 'GET'],
    ['course', 'findByName', 'GET'],
    ['student', 'inviteAccept', 'GET'],
    ['course', 'listen', 'POST'],
    ['course', 'create', 'POST'],
  ])('%s/%s is %s', (room, action, method) => {
    expect(routeOf(room, action)).toEqual({ method, path: `/module/${room}/${action}` })
  })

  test('sends JSON with credentials and counts the mutation until the response', async () => {
    answer = () => {
      expect($mutationCount.get()).toBe(1)
      return Response.json({ id: '7' })
    }
    await expect(call('course', 'create', { title: 'Перший вебінар' })).resolves.toEqual({ id: '7' })
    const [request] = sent
    expect(request?.url).toBe('http://demo.kafedra.localhost:4321/v1/module/course/create')
    expect(request?.method).toBe('POST')
    expect(request?.credentials).toBe('include')
    expect(request?.headers.get('accept')).toContain('application/json')
    expect(request?.headers.get('content-type')).toContain('application/json')
    expect($mutationCount.get()).toBe(0)
  })

  test('does not count reads and quiet calls as foreground work', async () => {
    answer = () => {
      expect($mutationCount.get()).toBe(0)
      return Response.json([])
    }
    await call('course', 'list', { status: 'draft' })
    await call('course', 'saveLesson', {}, { context: { isQuiet: true } })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  test('returns an expected refusal to the caller with its message and fields', async () => {
    answer = refuse(422, { code: 'unprocessable', message: 'Перевірте', fields: { email: ['taken'] } })
    const failure = await call('user', 'register', {}).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CallError)
    expect(failure).toMatchObject({
      code: 'unprocessable',
      status: 422,
      message: 'Перевірте',
      fields: { email: ['taken'] },
    })
    expect($notices.get()).toEqual([])
  })

  test.each<[string, () => Response]>([
    ['a bug on the other side', refuse(500, { code: 'internal', message: 'x', fields: {} })],
    [
      'a lost network',
      () => {
        throw new TypeError('Failed to fetch')
      },
    ],
  ])('raises the generic toast for %s', async (_, way) => {
    answer = way
    await expect(call('course', 'create', {})).rejects.toBeInstanceOf(CallError)
    expect($notices.get()).toMatchObject([{ kind: 'error', text: '', durationMs: null }])
    expect($mutationCount.get()).toBe(0)
  })
})

describe('the effect of a failed save on a draft', () => {
  const newer = (data: Record<string, unknown>) => data.text as string | undefined

  test.each([
    [new CallError('unauthorized', 401, ''), { kind: 'signedOut' }],
    [
      new CallError('conflict', 409, '', { version: 4, text: 'theirs' }),
      { kind: 'conflict', version: 4, value: 'theirs' },
    ],
    [new CallError('conflict', 409, 'Changed elsewhere'), { kind: 'refused', message: 'Changed elsewhere' }],
    [new CallError('too_many', 429, ''), { kind: 'offline' }],
    [new CallError('internal', 500, ''), { kind: 'failed' }],
    [new CallError('down', 503, ''), { kind: 'offline' }],
    [new CallError('full', 507, 'Disk full'), { kind: 'refused', message: 'Disk full' }],
    [new TypeError('Failed to fetch'), { kind: 'offline' }],
    [new CallError('plan_inactive', 402, 'No plan'), { kind: 'refused', message: 'No plan' }],
  ])('%s', (error, outcome) => {
    expect(saveOutcomeOf(error, newer)).toEqual(outcome)
  })
})
