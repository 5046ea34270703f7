import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { shownIdsOf, toShownAnswer } from '#lib/quiz/attempt/describe/part-ids.ts'
import { fieldTexts } from '#lib/quiz/attempt/form-rules.ts'
import { previewQuiz } from '#lib/quiz/attempt/preview.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'
import { KEYS } from '../../../setup/quiz/questions.ts'
import { addQuiz, offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const TYPES = ['single', 'matching', 'ordering', 'gapSelect', 'hotspot', 'scale', 'number'] as const
const words = { t: getTranslator('uk'), locale: 'uk' } as const

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

const countRows = () =>
  inTenant(ours.as.OWNER, async (tx) => {
    const { rows } = await tx.execute(sql`select (select count(*) from quiz_attempt) as attempts,
      (select count(*) from quiz_answer) as answers, (select count(*) from quiz_attempt_event) as events`)
    return rows
  })

const shownValue = (questionId: string, seed: number, value: AnswerValue) =>
  toShownAnswer(value, shownIdsOf(`preview ${seed}`, questionId))

test('a preview shows an attempt without keys, scores the answers and leaves no data', async () => {
  const { quizId } = await offerQuiz(ours, TYPES)
  const before = await countRows()
  const open = (answers: FormData | null) => previewQuiz(ours.as.CURATOR, { quizId, seed: 7, answers }, words)
  const blank = await open(null)
  expect(blank.questions.map(({ type }) => type)).toEqual(TYPES)
  expect(blank.result).toBeNull()
  for (const text of ['1991', '3.14', 'Серце', 'fraction', 'correct'])
    expect(JSON.stringify(blank), text).not.toContain(text)
  const answers = new FormData()
  for (const question of blank.questions)
    for (const [name, texts] of fieldTexts(question, shownValue(question.questionId, 7, KEYS[question.type])))
      for (const text of texts) answers.append(name, text)
  const checked = await open(answers)
  expect(checked.result).toMatchObject({ passed: true, score: checked.result?.maxScore })
  expect(checked.questions[0]?.feedback).toMatchObject({ isCorrect: true })
  expect(checked.questions.map(({ parts }) => parts)).toEqual(blank.questions.map(({ parts }) => parts))
  expect((await open(new FormData())).result).toMatchObject({ score: 0, passed: false })
  expect(await countRows()).toEqual(before)
})

test('an essay and a file have no score without a person, and nothing is uploaded', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, null, ['essay', 'fileUpload', 'single'])
  const { questions } = await previewQuiz(ours.as.OWNER, { quizId, seed: 1, answers: null }, words)
  expect(questions.map(({ closed }) => closed)).toEqual([false, true, false])
  const answers = new FormData()
  answers.set(`a.${questions[0]?.questionId}`, 'Досвід')
  answers.set(`a.${questions[2]?.questionId}`, shownIdsOf('preview 1', questions[2]?.questionId ?? '')('option', 'a'))
  const { result } = await previewQuiz(ours.as.OWNER, { quizId, seed: 1, answers }, words)
  expect(result).toEqual({ score: 1, maxScore: 10, passed: null })
})

test('a preview is for those who may read the keys, of their own school', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, null, ['single'])
  const other = await createOtherTenant()
  const open = async (actor: typeof other.as.OWNER) => previewQuiz(actor, { quizId, seed: 1, answers: null }, words)
  const allowed: string[] = []
  for (const role of ROLES)
    await open(ours.as[role]).then(
      () => allowed.push(role),
      (error) => expect(error).toMatchObject({ code: 'forbidden' }),
    )
  expect(allowed).toEqual(['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'])
  await expect(open(other.as.OWNER)).rejects.toMatchObject({ code: 'not_found' })
})
