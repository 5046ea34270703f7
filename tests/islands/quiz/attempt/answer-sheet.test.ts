import { expect, test, vi } from 'vitest'
import type { QueuedAnswer, QueueTransport } from '#islands/quiz/attempt/answer-queue.ts'
import { createAnswerSheet } from '#islands/quiz/attempt/answer-sheet.ts'
import type { ShownAnswer } from '#islands/quiz/attempt/attempt-props.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'

const essay = (text: string): AnswerValue => ({ type: 'essay', text })
const QUESTION: ShownAnswer = {
  questionId: 'essay',
  type: 'essay',
  partIds: [],
  value: null,
  revision: 0,
  closed: false,
}
const ignore = () => undefined

/** The page of an attempt whose server has the answer of another device with revision 5. */
function openSheet({ isOver, ...changes }: { isOver: boolean } & Partial<QueueTransport>) {
  const fields = new Map<string, AnswerValue | null>([['essay', null]])
  const sent: QueuedAnswer[] = []
  const stored = new Map<string, OutboxItem<QueuedAnswer>>()
  const offered: string[] = []
  const states: string[] = []
  const sheet = createAnswerSheet(
    {
      attemptId: 'attempt',
      quizId: 'quiz',
      owner: 'student',
      timeZone: 'UTC',
      locale: 'uk',
      strings: {},
      isOpen: true,
      deadlineAt: null,
      now: '2030-01-01T00:00:00.000Z',
      page: 0,
      onExpiry: 'autoSubmit',
      graceSec: 0,
      feedback: 'afterAttempt',
      questions: [QUESTION],
    },
    {
      view: {
        hasForm: true,
        has: () => true,
        read: ({ questionId }) => fields.get(questionId) ?? null,
        write: ({ questionId }, value) => void fields.set(questionId, value),
        setRevision: ignore,
        offerChoice(questionId) {
          offered.push(questionId)
          return ignore
        },
      },
      status: { showAnswer: (_, state) => void states.push(state), showQueue: ignore, showMark: ignore },
      onChange: ignore,
      onOutdated: ignore,
      isOver: () => isOver,
      transport: {
        storage: {
          loadItems: async () => [...stored.values()],
          put: async (item) => void stored.set(item.id, item),
          remove: async (id) => void stored.delete(id),
        },
        async save(answer) {
          sent.push(answer)
          if (answer.baseRevision < 5)
            throw new CallError('conflict', 409, '', { revision: 5, value: essay('other device') })
          return { revision: answer.revision }
        },
        saveLate: async ({ revision }) => ({ revision, late: true }),
        delayMs: 0,
        ...changes,
      },
    },
  )
  const type = (text: string) => {
    fields.set('essay', essay(text))
    sheet.readChanges()
  }
  return { sheet, fields, sent, offered, states, stored, type }
}

test('a conflict after the deadline keeps the texts of both devices, without a question', async () => {
  const { sheet, fields, sent, offered, type } = openSheet({ isOver: true })
  await sheet.queue.loaded
  type('this device')
  await vi.waitFor(() => expect(sheet.pending()).toEqual([]))
  expect(sent.at(-1)?.value).toEqual(essay('this device\n\nother device'))
  expect(fields.get('essay')).toEqual(essay('this device\n\nother device'))
  expect(offered).toEqual([])
})

test('a conflict that is open at the deadline keeps the texts of both devices', async () => {
  const { sheet, sent, offered, type } = openSheet({ isOver: false })
  await sheet.queue.loaded
  type('this device')
  await vi.waitFor(() => expect(offered).toEqual(['essay']))
  expect(sent).toHaveLength(1)
  sheet.endConflicts()
  await vi.waitFor(() => expect(sheet.pending()).toEqual([]))
  expect(sent.at(-1)?.value).toEqual(essay('this device\n\nother device'))
})

const refuse = (code: string) => async () => {
  throw new CallError(code, 422, '')
}

test('an answer that is refused after the end is kept by the server as late, and only then leaves the device', async () => {
  const browser = new EventTarget()
  vi.stubGlobal('window', browser)
  const late: QueuedAnswer[] = []
  let isReachable = false
  const { sheet, states, stored, type } = openSheet({
    isOver: true,
    save: refuse('unprocessable'),
    async saveLate(answer) {
      if (!isReachable) throw new CallError('unreachable', 0, '')
      late.push(answer)
      return { revision: answer.revision, late: true }
    },
  })
  await sheet.queue.loaded
  type('written offline')
  await vi.waitFor(() => expect(states).toContain('local'))
  expect([...stored.values()].map(({ payload }) => payload.value)).toEqual([essay('written offline')])
  isReachable = true
  browser.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(states.at(-1)).toBe('late'))
  expect(late.map(({ value }) => value)).toEqual([essay('written offline')])
  expect(sheet.pending()).toEqual([])
  await vi.waitFor(() => expect(stored.size).toBe(0))
  vi.unstubAllGlobals()
})

test('an answer that the server refuses in every form stays on the device, delays nothing, and is replaced by the next one', async () => {
  const tried: QueuedAnswer[] = []
  const { sheet, states, stored, type } = openSheet({
    isOver: false,
    async save(answer) {
      tried.push(answer)
      throw new CallError('unprocessable', 422, '')
    },
    saveLate: refuse('unprocessable'),
  })
  await sheet.queue.loaded
  type('first')
  await vi.waitFor(() => expect(states).toContain('refused'))
  await vi.waitFor(() => expect(sheet.pending()).toEqual([]))
  expect([...stored.values()].map(({ payload }) => payload.value)).toEqual([essay('first')])
  type('second')
  await vi.waitFor(() => expect([...stored.values()].map(({ payload }) => payload.value)).toEqual([essay('second')]))
  await vi.waitFor(() => expect(tried.at(-1)).toMatchObject({ value: essay('second'), baseRevision: 0 }))
})

test('an answer that was changed while the server failed is sent when it works again, without a reload', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  let isFaulty = true
  const accepted: (AnswerValue | null)[] = []
  const { sheet, states, stored, type } = openSheet({
    isOver: false,
    async save(answer) {
      if (isFaulty) throw new CallError('internal', 500, '')
      accepted.push(answer.value)
      return { revision: answer.revision }
    },
  })
  await sheet.queue.loaded
  type('first')
  await vi.advanceTimersByTimeAsync(2000)
  expect(sheet.queue.list()).toMatchObject([{ state: 'failed', cause: 'server' }])
  type('changed')
  isFaulty = false
  await vi.advanceTimersByTimeAsync(6000)
  expect(accepted).toEqual([essay('changed')])
  expect(states.at(-1)).toBe('saved')
  expect(stored.size).toBe(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
