import { expect, test, vi } from 'vitest'
import type { QueuedAnswer } from '#islands/quiz/attempt/answer-queue.ts'
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
function openSheet({ isOver }: { isOver: boolean }) {
  const fields = new Map<string, AnswerValue | null>([['essay', null]])
  const sent: QueuedAnswer[] = []
  const stored = new Map<string, OutboxItem<QueuedAnswer>>()
  const offered: string[] = []
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
      status: { showAnswer: ignore, showQueue: ignore, showMark: ignore },
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
        delayMs: 0,
      },
    },
  )
  const type = (text: string) => {
    fields.set('essay', essay(text))
    sheet.readChanges()
  }
  return { sheet, fields, sent, offered, type }
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
