import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { computeItemAnalysis } from '#lib/quiz/analysis/compute-item-analysis.ts'
import { getItemAnalysis } from '#lib/quiz/analysis/item-analysis.ts'
import { countedChoices, isKeySuspicious, itemWarnings, meaningOf } from '#lib/quiz/analysis/item-warnings.ts'
import type { ItemStatistics } from '#lib/quiz/analysis/schema.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'
import { saveAnswer, submittedAttempt } from '../../../setup/quiz/attempts.ts'
import { KEYS, sampleQuestion, WRONG } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let other: TestTenant
let owner: Actor
let count = 0
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  owner = ours.as.OWNER
})

async function classmate(courseId: string): Promise<Actor> {
  count += 1
  const actor = await addTestMember(ours, 'STUDENT', `pupil-${count}@analysis.test`)
  await grantAccess(owner, { courseId, studentId: actor.membershipId })
  return actor
}

type Place = Awaited<ReturnType<typeof offerQuiz>>

async function answeredBy(place: Place, rows: (AnswerValue | null)[][]): Promise<void> {
  for (const values of rows) await submittedAttempt(await classmate(place.courseId), place, values)
}

async function analyzed({ quizId }: Place) {
  await computeItemAnalysis({ tenantId: ours.tenant.id, quizId })
  return getItemAnalysis(owner, { quizId })
}

/** Pearson's correlation by its definition. */
function correlation(xs: number[], ys: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [mx, my] = [mean(xs), mean(ys)]
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const cov = sum(xs.map((x, index) => (x - mx) * ((ys[index] ?? 0) - my)))
  return cov / Math.sqrt(sum(xs.map((x) => (x - mx) ** 2)) * sum(ys.map((y) => (y - my) ** 2)))
}

describe('the item analysis', () => {
  test('has facility, discrimination and choices according to their definitions', async () => {
    const place = await offerQuiz(ours, ['single', 'trueFalse', 'scale'])
    // Right or wrong on single, true/false and scale.
    const pattern = ['111', '111', '110', '101', '011', '100', '000', '010']
    const answer = (type: 'single' | 'trueFalse' | 'scale', isRight: string | undefined) =>
      isRight === '1' ? KEYS[type] : WRONG[type]
    await answeredBy(
      place,
      pattern.map((row) => [answer('single', row[0]), answer('trueFalse', row[1]), answer('scale', row[2])]),
    )
    const analysis = await analyzed(place)
    expect(analysis?.attempts).toBe(8)
    const item = analysis?.items.find(({ questionId }) => questionId === place.questionIds[0])
    expect(item).toMatchObject({ count: 8, answered: 8, facility: 5 / 8 })
    const own = pattern.map((row) => Number(row[0]))
    const rest = pattern.map((row) => (Number(row[1]) + Number(row[2])) / 2)
    expect(item?.discrimination).toBeCloseTo(correlation(own, rest), 10)
    expect(item?.choices.map(({ key, count: times, credit }) => [key, times, credit])).toEqual([
      ['a', 5, 1],
      ['b', 3, 0],
    ])
    // The best quarter: 3 of 8 with the full score in the rest.
    expect(item?.topAnswered).toBe(3)
    expect(item?.choices[0]?.topShare).toBeCloseTo(2 / 3)
  })

  test('counts the first graded attempt of each student only', async () => {
    const place = await offerQuiz(ours, ['trueFalse', 'single'])
    const student = await classmate(place.courseId)
    await submittedAttempt(student, place, [WRONG.trueFalse, KEYS.single])
    await submittedAttempt(student, place, [KEYS.trueFalse, KEYS.single])
    const analysis = await analyzed(place)
    expect(analysis?.attempts).toBe(1)
    expect(analysis?.items.find(({ questionId }) => questionId === place.questionIds[0])?.facility).toBe(0)
  })

  test('measures time by the server’s clock from one save to the next, without long pauses', async () => {
    const place = await offerQuiz(ours, ['trueFalse', 'single'])
    const [first = '', second = ''] = place.questionIds
    const student = await classmate(place.courseId)
    const startedAt = new Date()
    const instantAt = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000)
    const { attemptId } = await startAttempt(student, { quizId: place.quizId, password: '' }, startedAt)
    const save = (questionId: string, revision: number, value: AnswerValue, seconds: number) =>
      saveAnswer(student, { attemptId, questionId, revision, value }, instantAt(seconds))
    await save(first, 1, KEYS.trueFalse, 20)
    await save(second, 1, WRONG.single, 50)
    await save(second, 2, KEYS.single, 60)
    // A break of three hours counts as half an hour.
    await save(first, 2, WRONG.trueFalse, 60 + 3 * 3600)
    await submitAttempt(student, { attemptId }, instantAt(60 + 3 * 3600 + 1))
    const analysis = await analyzed(place)
    const seconds = (questionId: string) =>
      analysis?.items.find((item) => item.questionId === questionId)?.medianSeconds
    expect(seconds(second)).toBeCloseTo(40, 1)
    expect(seconds(first)).toBeCloseTo(20 + 1800, 1)
  })

  test('reports a key that the best quarter of students does not follow', async () => {
    const place = await offerQuiz(ours, ['single', 'trueFalse', 'scale', 'number'])
    const strong = [WRONG.single, KEYS.trueFalse, KEYS.scale, KEYS.number]
    const weak = [KEYS.single, WRONG.trueFalse, WRONG.scale, WRONG.number]
    await answeredBy(place, [...Array.from({ length: 6 }, () => strong), ...Array.from({ length: 8 }, () => weak)])
    const analysis = await analyzed(place)
    expect(analysis?.items[0]).toMatchObject({
      questionId: place.questionIds[0],
      warnings: ['suspiciousKey', 'negative'],
    })
    expect(analysis?.items.filter(({ warnings }) => warnings.includes('suspiciousKey'))).toHaveLength(1)
  })

  test('is empty before the first graded attempt, and closed to others', async () => {
    const place = await offerQuiz(ours, ['essay'])
    expect(await getItemAnalysis(owner, place)).toBeNull()
    await answeredBy(place, [[KEYS.essay]])
    expect(await analyzed(place)).toMatchObject({ attempts: 0, items: [] })
    for (const [actor, code] of [
      [ours.as.CURATOR, 'forbidden'],
      [ours.as.STUDENT, 'forbidden'],
      [other.as.OWNER, 'not_found'],
    ] as const)
      await expect(getItemAnalysis(actor, place)).rejects.toMatchObject({ code })
  })
})

const statistics = (more: Partial<ItemStatistics>): ItemStatistics => ({
  questionId: '01a1fbc8-ab31-71dc-9f85-29f843092a13',
  count: 40,
  answered: 40,
  topAnswered: 10,
  bottomAnswered: 10,
  facility: 0.5,
  discrimination: 0.4,
  topFacility: 0.8,
  medianSeconds: 20,
  choices: [],
  ...more,
})

describe('warnings', () => {
  test.each([
    [{}, []],
    [{ discrimination: 0.1 }, ['weak']],
    [{ discrimination: -0.1 }, ['negative']],
    [{ facility: 0.1 }, ['tooHard']],
    [{ facility: 0.99 }, ['tooEasy']],
    [{ facility: 0.1, count: 9 }, []],
  ])('of %j are %j', (more, expected) => {
    expect(itemWarnings(statistics(more), [])).toEqual(expected)
  })

  test('report a key part by part', () => {
    const content = sampleQuestion('matching')
    const item = statistics({
      choices: [
        { key: 'p1/c1', count: 30, top: 9, bottom: 5 },
        { key: 'p2/c3', count: 20, top: 8, bottom: 2 },
        { key: 'p2/c2', count: 10, top: 2, bottom: 5 },
      ],
    })
    expect(isKeySuspicious(item, countedChoices(content, item))).toBe(true)
    const usual = { ...item, choices: item.choices.filter(({ key }) => key !== 'p2/c3') }
    expect(isKeySuspicious(usual, countedChoices(content, usual))).toBe(false)
  })
})

test.each([
  ['single', 'a', 'Київ', 1],
  ['single', 'zz', 'zz', null],
  ['multiple', 'd', '5', -0.5],
  ['trueFalse', 'true', 'true', 1],
  ['shortText', 'шевченко', 'шевченко', 0.5],
  ['number', '3,14', '3,14', 1],
  ['matching', 'p1/c2', 'Варшава', 0],
  ['gapText', 'g1/стогне', 'стогне', 1],
  ['gapSelect', 'g1/b', 'сідає', 0],
  ['gapMixed', 'g1/100,4', '100,4', 1],
  ['gapMixed', 'g2/ні', 'ні', 0],
  ['gapMixed', 'g4/c', 'гарячу', 0.5],
  ['scale', '5', '5', 1],
] as const)('a choice of %s %j means %j with the credit %j', (type, key, label, credit) => {
  expect(meaningOf(sampleQuestion(type), key)).toMatchObject({ label, credit })
})
