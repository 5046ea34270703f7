import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type LessonDoc, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { QUESTION_TYPES, type QuestionType } from '#lib/core/shared/quiz.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { getAttemptPage } from '#lib/quiz/attempt/attempt-page.ts'
import { getAttempt } from '#lib/quiz/attempt/attempt-state.ts'
import { shownIdsOf, toShownAnswer, toStoredAnswer } from '#lib/quiz/attempt/describe/part-ids.ts'
import { partOrder } from '#lib/quiz/attempt/frozen/freeze.ts'
import { getQuizResult } from '#lib/quiz/attempt/result.ts'
import { saveAnswer as saveShownAnswer } from '#lib/quiz/attempt/save-answer.ts'
import { secretSource, seededRandom } from '#lib/quiz/attempt/shuffle.ts'
import { quizAttempt } from '#lib/quiz/attempt/table.ts'
import { AnswerValue, QuestionContent, type QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { insertFiles } from '../../../setup/files.ts'
import { saveAnswer, shownAnswer } from '../../../setup/quiz/attempts.ts'
import { startAttempt, updateQuestion } from '../../../setup/quiz/parsed.ts'
import { KEYS, sampleQuestion, WRONG } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const words = { t: getTranslator('uk'), locale: 'uk' } as const
/** Types whose parts have ids. */
const WITH_PARTS = ['single', 'multiple', 'matching', 'ordering', 'gapText', 'gapSelect', 'gapMixed'] as const

let ours: TestTenant
let student: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  student = ours.as.STUDENT
})

/** A text of one picture or sound. */
const fileText = (kind: 'image' | 'audio', fileId: string): LessonDoc =>
  kind === 'image'
    ? { type: 'doc', content: [{ type: 'image', attrs: { src: srcOf(fileId), alt: '' } }] }
    : { type: 'doc', content: [{ type: 'audio', attrs: { fileId } }] }

const ID = /"(id|choiceId|optionId)":"([A-Za-z0-9_-]+)"/g

/** The sample question with ids that are easy to find. */
const withMarkedIds = (type: QuestionType): QuestionContent =>
  QuestionContent.parse(
    JSON.parse(JSON.stringify(sampleQuestion(type)).replace(ID, '"$1":"stored-$2"').replace(/\[\[/g, '[[stored-')),
  )

const markedKey = (type: (typeof WITH_PARTS)[number]): AnswerValue =>
  AnswerValue.parse(
    JSON.parse(
      JSON.stringify(KEYS[type]).replace(/"([a-z]\d?)"/g, (_, id: string) => (id === type ? id : `"stored-${id}"`)),
    ),
  )

async function offerMarkedQuiz(settings: Parameters<typeof offerQuiz>[2] = {}) {
  const offered = await offerQuiz(ours, QUESTION_TYPES, { attempts: null, delayMinutes: 0, ...settings })
  for (const [index, type] of QUESTION_TYPES.entries())
    await updateQuestion(ours.as.OWNER, {
      questionId: offered.questionIds[index] ?? '',
      revision: 1,
      content: withMarkedIds(type),
    })
  return offered
}

/**
 * Everything that identifies a part in what a student receives: keys and values of this length in the alphabet of ids,
 * without names of attributes.
 */
const shownIdsIn = (payload: unknown): string[] =>
  (JSON.stringify(payload).match(/(?<![\w-])[\w-]{16}(?![\w-])/g) ?? []).filter((text) => /[A-Z\d]/.test(text))

describe('a student', () => {
  test.each([true, false])('receives no stored id of a part of any type, with shuffling %s', async (shuffleOptions) => {
    const { quizId, questionIds } = await offerMarkedQuiz({ shuffleOptions })
    const seen: string[][] = []
    for (let number = 1; number <= 2; number += 1) {
      const { attemptId } = await startAttempt(student, { quizId })
      const conflicts: unknown[] = []
      for (const type of WITH_PARTS) {
        const questionId = questionIds[QUESTION_TYPES.indexOf(type)] ?? ''
        const save = { attemptId, questionId, revision: 3, value: markedKey(type) }
        await saveAnswer(student, save)
        const older = { ...save, revision: 2, value: null }
        conflicts.push(await saveShownAnswer(student, older).catch((error: Refusal) => error.details.data?.value))
      }
      const page = await getAttemptPage(student, { quizId, page: null }, words)
      const state = await getAttempt(student, { attemptId })
      expect(page?.questions).toHaveLength(QUESTION_TYPES.length)
      expect(conflicts).toMatchObject(WITH_PARTS.map((type) => ({ type })))
      for (const received of [page, state, conflicts]) expect(JSON.stringify(received)).not.toContain('stored-')
      seen.push(shownIdsIn([page?.questions, state.answers]))
      await submitAttempt(student, { attemptId })
      const result = await getQuizResult(student, { quizId, attemptId }, words)
      expect(result.questions).toHaveLength(QUESTION_TYPES.length)
      expect(JSON.stringify(result)).not.toContain('stored-')
    }
    const [first = [], second = []] = seen
    expect(new Set(first).size).toBeGreaterThan(20)
    expect(first.filter((id) => second.includes(id))).toEqual([])
  })

  test('sees neither ids nor names of the files of pictures and sounds, from which an order could be read', async () => {
    const owner = ours.as.OWNER
    const kinds = ['image', 'audio', 'image', 'image'] as const
    const ids = await insertFiles(
      owner,
      kinds.map((kind, index) => ({
        name: `крок-${index + 1}`,
        kind,
        mime: kind === 'image' ? 'image/png' : 'audio/mpeg',
      })),
    )
    const { quizId, questionIds } = await offerQuiz(ours, ['ordering'])
    const content = sampleQuestion('ordering')
    const items = content.items.map((item, index) => ({
      ...item,
      content: fileText(kinds[index] ?? 'image', ids[index] ?? ''),
    }))
    await updateQuestion(owner, { questionId: questionIds[0] ?? '', revision: 1, content: { ...content, items } })
    const { attemptId } = await startAttempt(student, { quizId })
    const page = JSON.stringify(await getAttemptPage(student, { quizId, page: null }, words))
    await submitAttempt(student, { attemptId })
    const result = JSON.stringify(await getQuizResult(student, { quizId, attemptId }, words))
    expect(page.match(/\/v1\/media\/[0-9a-f-]+\/~/g)?.length).toBeGreaterThanOrEqual(4)
    for (const received of [page, result]) {
      for (const id of ids) expect(received).not.toContain(id)
      expect(decodeURIComponent(received)).not.toContain('крок-')
    }
  })

  test('cannot answer with stored ids, unless the attempt was started before ids were specific to it', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, WITH_PARTS)
    const { attemptId } = await startAttempt(student, { quizId })
    const saveStored = (revision: number) =>
      Promise.all(
        WITH_PARTS.map((type, index) =>
          saveShownAnswer(student, { attemptId, questionId: questionIds[index] ?? '', revision, value: KEYS[type] })
            .then(() => 'saved')
            .catch((error: { details?: { fields?: { form?: string[] } } }) => error.details?.fields?.form?.[0]),
        ),
      )
    expect(await saveStored(1)).toEqual(WITH_PARTS.map(() => 'answer_type'))
    await inTenant(student, (tx) => tx.update(quizAttempt).set({ partKey: null }))
    expect(await saveStored(2)).toEqual(WITH_PARTS.map(() => 'saved'))
    const page = await getAttemptPage(student, { quizId, page: null }, words)
    expect(page?.questions.map(({ value }) => value)).toEqual(WITH_PARTS.map((type) => KEYS[type]))
    await submitAttempt(student, { attemptId })
    const { attempt } = await getQuizResult(student, { quizId, attemptId }, words)
    expect(attempt?.score).toBe(attempt?.maxScore)
  })

  test('sees the typed answers of a refused form', async () => {
    const { quizId, questionIds } = await offerQuiz(ours, WITH_PARTS)
    const { attemptId } = await startAttempt(student, { quizId })
    const typed = new Map<string, AnswerValue | null>()
    for (const [index, type] of WITH_PARTS.entries()) {
      const questionId = questionIds[index] ?? ''
      typed.set(questionId, await shownAnswer(student, { attemptId, questionId }, WRONG[type]))
    }
    const page = await getAttemptPage(student, { quizId, page: null, typed }, words)
    expect(page?.questions.map(({ questionId, value }) => [questionId, value])).toEqual([...typed])
  })
})

describe('ids of parts', () => {
  const questionId = newId()

  test.each(WITH_PARTS)('of %s lead back to the stored ones only with the key of their attempt', (type) => {
    const shownId = shownIdsOf('first', questionId)
    for (const value of [KEYS[type], WRONG[type]]) {
      const shown = toShownAnswer(value, shownId)
      expect(shown).not.toEqual(value)
      expect(shown && toStoredAnswer(sampleQuestion(type), shown, shownId)).toEqual(value)
      expect(shown && toStoredAnswer(sampleQuestion(type), shown, shownIdsOf('second', questionId))).toBeNull()
      expect(shown && toStoredAnswer(sampleQuestion(type), shown, shownIdsOf('first', newId()))).toBeNull()
    }
  })

  test('are independent of the key in value, sorting and position', () => {
    const runs = 3000
    const { items } = sampleQuestion('ordering')
    const { prompts, choices } = sampleQuestion('matching')
    const content: Record<'ordering' | 'matching', QuestionContent> = {
      ordering: sampleQuestion('ordering'),
      matching: sampleQuestion('matching'),
    }
    const counts = { firstShown: [0, 0, 0, 0], firstSorted: [0, 0, 0, 0], pairInOrder: 0, pairSorted: 0 }
    for (let run = 0; run < runs; run += 1) {
      const shownId = shownIdsOf(`key ${run}`, questionId)
      const order = partOrder(content.ordering, false, secretSource(`key ${run}`).random)
      const rankOf = (id: string | undefined) => items.findIndex((item) => item.id === id)
      count(counts.firstShown, rankOf(order[0]))
      const sorted = items.toSorted((a, b) => (shownId('item', a.id) < shownId('item', b.id) ? -1 : 1))
      count(counts.firstSorted, rankOf(sorted[0]?.id))
      const choiceOrder = partOrder(content.matching, false, secretSource(`other ${run}`).random)
      if (choiceOrder[0] === prompts[0]?.choiceId) counts.pairInOrder += 1
      const [firstPrompt] = prompts
      const sortedChoices = choices.toSorted((a, b) => (shownId('choice', a.id) < shownId('choice', b.id) ? -1 : 1))
      if (sortedChoices[0]?.id === firstPrompt?.choiceId) counts.pairSorted += 1
    }
    // Uniform within five standard deviations.
    for (const rank of [...counts.firstShown, ...counts.firstSorted])
      expect(Math.abs(rank - runs / 4)).toBeLessThan(5 * Math.sqrt((runs * 3) / 16))
    for (const pair of [counts.pairInOrder, counts.pairSorted])
      expect(Math.abs(pair - runs / 3)).toBeLessThan(5 * Math.sqrt((runs * 2) / 9))
  })

  test('and the order of options are the same whichever option is right', () => {
    const order = (right: string) => {
      const content: QuestionContentOfType<'single'> = sampleQuestion('single')
      const options = content.options.map((option) => ({ ...option, fraction: Number(option.id === right) }))
      const shownId = shownIdsOf('key', questionId)
      return partOrder({ ...content, options }, true, seededRandom(5)).map((id) => shownId('option', id))
    }
    expect(order('b')).toEqual(order('a'))
  })
})

function count(counts: number[], index: number): void {
  counts[index] = (counts[index] ?? 0) + 1
}
