import type { QueuedAnswer } from '#islands/quiz/attempt/answer-queue.ts'
import { type AnswerSheet, type AnswerSheetView, createAnswerSheet } from '#islands/quiz/attempt/answer-sheet.ts'
import type { ShownAnswer } from '#islands/quiz/attempt/attempt-props.ts'
import type { ChosenAnswer } from '#islands/quiz/attempt/conflict-box.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { OutboxItem, OutboxStorage } from '#islands/stores/outbox/outbox-storage.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { getAttempt } from '#lib/quiz/attempt/attempt-state.ts'
import { saveAnswer } from '#lib/quiz/attempt/save-answer.ts'
import { saveLateAnswer } from '#lib/quiz/late/late-answer.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'

export type Weather = 'good' | 'offline' | 'signedOut' | 'responseLost'

/** The state that all devices of a run share: the server's clock, which they cannot change, and the attempt. */
export interface ChaosServer {
  actor: Actor
  attemptId: string
  questions: readonly Pick<ShownAnswer, 'questionId' | 'type'>[]
  now: Date
  isDown: boolean
}

export interface ChaosTab {
  sheet: AnswerSheet
  fields: Map<string, AnswerValue | null>
  conflicts: Map<string, (choice: ChosenAnswer) => void>
  kill(): void
  /** Loads the answers saved by other devices. */
  sync(): Promise<void>
}

/** A device with its stored answers, which survive its tabs. */
export function createDevice(server: ChaosServer, { forgetful = false } = {}) {
  const stored = new Map<string, OutboxItem<QueuedAnswer>>()
  const device = { weather: 'good' as Weather, tabs: [] as ChaosTab[] }
  const storage: OutboxStorage<QueuedAnswer> = {
    loadItems: async () =>
      [...stored.values()].map((item) => ({ ...item, state: 'waiting', cause: null, reason: null, dueAt: 0 })),
    put: async (item) => void (forgetful || stored.set(item.id, item)),
    remove: async (id) => void stored.delete(id),
  }

  async function save(answer: QueuedAnswer): Promise<{ revision: number }> {
    await Promise.resolve()
    if (server.isDown) throw new CallError('unavailable', 503, '')
    if (device.weather === 'offline') throw new CallError('unreachable', 0, '')
    if (device.weather === 'signedOut') throw new CallError('unauthorized', 401, '')
    const saved = await saveAnswer(server.actor, answer, server.now).catch(rethrowAsCallError)
    if (device.weather === 'responseLost') throw new CallError('unreachable', 0, '')
    return saved
  }

  const saveLate = (answer: QueuedAnswer) => saveLateAnswer(server.actor, answer, server.now).catch(rethrowAsCallError)

  async function openTab(): Promise<void> {
    const known = await getAttempt(server.actor, { attemptId: server.attemptId }, server.now)
    const fields = new Map<string, AnswerValue | null>()
    const conflicts: ChaosTab['conflicts'] = new Map()
    const questions = server.questions.map(({ questionId, type }): ShownAnswer => {
      const answer = known.answers.find((row) => row.questionId === questionId)
      fields.set(questionId, answer?.value ?? null)
      return {
        questionId,
        type,
        partIds: [],
        value: answer?.value ?? null,
        revision: answer?.revision ?? 0,
        closed: false,
      }
    })
    const view: AnswerSheetView = {
      hasForm: true,
      has: () => true,
      read: ({ questionId }) => fields.get(questionId) ?? null,
      write: ({ questionId }, value) => void fields.set(questionId, value),
      setRevision: () => undefined,
      offerChoice(questionId, _theirs, onChoose) {
        conflicts.set(questionId, onChoose)
        return () => conflicts.delete(questionId)
      },
    }
    const ignore = () => undefined
    const status = { showAnswer: ignore, showQueue: ignore, showMark: ignore }
    const sheet = createAnswerSheet(
      {
        attemptId: server.attemptId,
        quizId: '',
        owner: server.actor.membershipId,
        timeZone: 'UTC',
        locale: 'uk',
        strings: {},
        isOpen: true,
        deadlineAt: null,
        now: server.now.toISOString(),
        page: 0,
        onExpiry: 'autoSubmit',
        graceSec: 0,
        feedback: 'afterAttempt',
        questions,
      },
      {
        view,
        status,
        onChange: ignore,
        onOutdated: ignore,
        isOver: () => false,
        transport: { storage, save, saveLate, delayMs: 3 },
      },
    )
    await sheet.queue.loaded
    const tab: ChaosTab = {
      sheet,
      fields,
      conflicts,
      kill() {
        sheet.queue.close()
        device.tabs = device.tabs.filter((other) => other !== tab)
      },
      async sync() {
        if (device.weather !== 'good' || server.isDown) return
        sheet.merge((await getAttempt(server.actor, { attemptId: server.attemptId }, server.now)).answers)
      },
    }
    device.tabs.push(tab)
  }

  return Object.assign(device, { openTab })
}

export type ChaosDevice = ReturnType<typeof createDevice>

function rethrowAsCallError(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  const { code, status, details } = error
  throw new CallError(code, status, '', { fields: details.fields, ...details.data })
}
