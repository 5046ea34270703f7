import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MANUAL_TYPES, QUESTION_TYPES, type QuestionType } from '#lib/core/shared/quiz.ts'
import { parseDecimal } from '#lib/quiz/question/decimal-rules.ts'
import { plainRichText } from '#lib/quiz/question/rich-text-schema.ts'
import { type AnswerValue, QuestionContent } from '#lib/quiz/question/schema.ts'
import { gradeOfAttempts, isPassed, scoreAnswer, totalScore } from '#lib/quiz/scoring/score.ts'
import { matchesText } from '#lib/quiz/scoring/text-match.ts'
import { KEYS, sampleQuestion, WRONG } from '../../../setup/quiz/questions.ts'

const AUTOMATIC = QUESTION_TYPES.filter((type) => !MANUAL_TYPES.includes(type)) as (keyof typeof WRONG)[]
const rules = { negativeMarking: false, partialCredit: true }
const negative = { negativeMarking: true, partialCredit: true }

/** Any answer of the type that fits `sampleQuestion`. */
const ANSWERS: { [T in keyof typeof WRONG]: fc.Arbitrary<AnswerValue> } = {
  single: fc.constantFrom('a', 'b', 'c').map((optionId) => ({ type: 'single', optionId })),
  multiple: fc.subarray(['a', 'b', 'c', 'd']).map((optionIds) => ({ type: 'multiple', optionIds })),
  trueFalse: fc.boolean().map((value) => ({ type: 'trueFalse', value })),
  shortText: fc.oneof(fc.string(), fc.constant('шевченко')).map((text) => ({ type: 'shortText', text })),
  number: fc.oneof(fc.string(), fc.double().map(String)).map((text) => ({ type: 'number', text })),
  matching: fc
    .record({ p1: fc.constantFrom('c1', 'c2', 'c3'), p2: fc.constantFrom('c1', 'c2', 'c3') })
    .map((choices) => ({ type: 'matching', choices })),
  ordering: fc
    .shuffledSubarray(['i1', 'i2', 'i3', 'i4'], { minLength: 4 })
    .map((itemIds) => ({ type: 'ordering', itemIds })),
  gapText: fc.record({ g1: fc.string(), g2: fc.constant('широкий') }).map((gaps) => ({ type: 'gapText', gaps })),
  gapSelect: fc.constantFrom('a', 'b').map((g1) => ({ type: 'gapSelect', gaps: { g1 } })),
  gapMixed: fc
    .record({ g1: fc.string(), g3: fc.subarray(['a', 'b'], { maxLength: 1 }), g4: fc.subarray(['a', 'b', 'c']) })
    .map(({ g1, ...chosen }) => ({ type: 'gapMixed', texts: { g1 }, chosen })),
  hotspot: fc
    .record({ x: fc.double({ min: 0, max: 1, noNaN: true }), y: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map((point) => ({ type: 'hotspot', points: [point] })),
  scale: fc.integer({ min: 1, max: 5 }).map((value) => ({ type: 'scale', value })),
}

test('the gaps of a question with mixed gaps earn points by their weights, and a wrong gap takes none from the others', () => {
  const sample = sampleQuestion('gapMixed')
  const content = { ...sample, gaps: sample.gaps.map((gap, index) => ({ ...gap, weight: index === 0 ? 3 : 1 })) }
  const score = (texts: Record<string, string>, chosen: Record<string, string[]>) =>
    scoreAnswer(content, { type: 'gapMixed', texts, chosen }, { points: 6, rules })
  expect(score({ g1: '100.5' }, {})).toBe(3)
  expect(score({ g1: '100.51', g2: 'перетворюючи' }, {})).toBe(1)
  expect(score({}, { g3: ['a'], g4: ['a'] })).toBe(1.5)
  expect(score({}, { g3: ['a'], g4: ['a', 'b', 'c'] })).toBe(1)
  expect(score({ g1: '1 00' }, { g3: ['a'], g4: ['b'] })).toBe(1)
})

describe.each(AUTOMATIC)('the score of %s', (type) => {
  const content = QuestionContent.parse({ ...sampleQuestion(type), penalty: 0.5 })

  test('is full for the key, whatever the points', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (hundredths) => {
        const points = hundredths / 100
        for (const set of [rules, negative, { negativeMarking: true, partialCredit: false }])
          expect(scoreAnswer(content, KEYS[type], { points, rules: set })).toBe(points)
      }),
    )
  })

  test('is 0 for a wrong answer, and the penalty with negative marks', () => {
    expect(scoreAnswer(content, WRONG[type], { points: content.points, rules })).toBe(0)
    const score = scoreAnswer(content, WRONG[type], { points: content.points, rules: negative })
    expect(score).toBeLessThanOrEqual(-0.5)
  })

  test('is 0 without an answer, also with negative marks', () => {
    expect(scoreAnswer(content, null, { points: 2, rules: negative })).toBe(0)
  })

  test('is between minus and plus the points, in hundredths, and above 0 without negative marks', () => {
    fc.assert(
      fc.property(
        ANSWERS[type],
        fc.record({ negativeMarking: fc.boolean(), partialCredit: fc.boolean() }),
        fc.integer({ min: 0, max: 10_000 }),
        (answer, set, hundredths) => {
          const points = hundredths / 100
          const score = scoreAnswer(content, answer, { points, rules: set }) ?? Number.NaN
          expect(score).toBeLessThanOrEqual(points)
          expect(score).toBeGreaterThanOrEqual(set.negativeMarking ? -points : 0)
          expect(Math.abs(score * 100 - Math.round(score * 100))).toBeLessThan(1e-6)
        },
      ),
    )
  })

  test('without partial credit is all, nothing or a deduction', () => {
    fc.assert(
      fc.property(ANSWERS[type], (answer) => {
        const score = scoreAnswer(content, answer, { points: 3, rules: { ...rules, partialCredit: false } })
        expect([0, 3]).toContain(score)
      }),
    )
  })
})

describe('the score', () => {
  test('of a question with options does not depend on their order', () => {
    const content = sampleQuestion('multiple')
    fc.assert(
      fc.property(
        fc.shuffledSubarray(content.options, { minLength: 4 }),
        fc.shuffledSubarray(['a', 'b', 'c', 'd']),
        (options, optionIds) => {
          const answer: AnswerValue = { type: 'multiple', optionIds }
          const sorted: AnswerValue = { type: 'multiple', optionIds: optionIds.toSorted() }
          const shuffled = scoreAnswer({ ...content, options }, answer, { points: 7, rules: negative })
          expect(shuffled).toBe(scoreAnswer(content, sorted, { points: 7, rules: negative }))
        },
      ),
    )
  })

  test('of all options chosen is not full', () => {
    const answer: AnswerValue = { type: 'multiple', optionIds: ['a', 'b', 'c', 'd'] }
    expect(scoreAnswer(sampleQuestion('multiple'), answer, { points: 3, rules })).toBe(0)
  })

  test('of three thirds is exactly one', () => {
    const third = { content: plainRichText('так'), fraction: 0.33333 }
    const content = QuestionContent.parse({
      type: 'multiple',
      stem: plainRichText('?'),
      options: [
        { id: 'a', ...third },
        { id: 'b', ...third },
        { id: 'c', ...third },
        { id: 'd', ...third, fraction: 0 },
      ],
    })
    const chosen = (...optionIds: string[]) =>
      scoreAnswer(content, { type: 'multiple', optionIds }, { points: 1000, rules })
    expect(chosen('a', 'b', 'c')).toBe(1000)
    expect(chosen('a')).toBe(333.33)
    expect(chosen('a', 'b')).toBe(666.67)
  })

  test.each([
    [['i1', 'i2', 'i3', 'i4'], 3],
    [['i2', 'i3', 'i4', 'i1'], 2],
    [['i2', 'i1', 'i4', 'i3'], 1],
    [['i4', 'i3', 'i2', 'i1'], 0],
  ])('of the order %s is %d of 3', (itemIds, points) => {
    expect(scoreAnswer(sampleQuestion('ordering'), { type: 'ordering', itemIds }, { points: 3, rules })).toBe(points)
  })

  test.each([
    ['3.13', 1],
    ['3,15', 1],
    ['0.00314e3', 1],
    ['3.1299999', 0],
    ['3.1500001', 0],
    ['−3.14', 0],
    ['3.14 м', 0],
  ])('of the number %s is %d', (text, points) => {
    expect(scoreAnswer(sampleQuestion('number'), { type: 'number', text }, { points: 1, rules })).toBe(points)
  })

  test('of a value at the exact end of its tolerance is full: 1.1 for 1.0 ± 0.1', () => {
    const content = QuestionContent.parse({
      ...sampleQuestion('number'),
      accepted: [{ id: 'a', kind: 'value', value: '1.0', tolerance: '0.1', fraction: 1 }],
    })
    expect(scoreAnswer(content, { type: 'number', text: '1.1' }, { points: 1, rules })).toBe(1)
  })

  test.each([
    ['.95', '0.95'],
    [',95', '0.95'],
    ['1.', '1'],
    ['-.5', '-0.5'],
    ['1 000', '1000'],
    ['1 234 567,5', '1234567.5'],
    ['1,234.5', '1234.5'],
    ['1.234,5', '1234.5'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ["12'345", '12345'],
    ['+ 5', '5'],
    ['1,5', '1.5'],
  ])('of the number %s is that of %s', (text, value) => {
    const content = QuestionContent.parse({
      ...sampleQuestion('number'),
      accepted: [{ id: 'a', kind: 'value', value, fraction: 1 }],
    })
    expect(scoreAnswer(content, { type: 'number', text }, { points: 1, rules })).toBe(1)
  })

  test.each(['.', ',', '-', '1 2', '1,23,4', '1.2.3', '1/2', '1,234.5.6', '5 kg', 'e5'])('%s is no number', (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  test.each(MANUAL_TYPES)('of %s waits for a reviewer', (type: QuestionType) => {
    expect(scoreAnswer(sampleQuestion(type), KEYS[type], { points: 5, rules })).toBeNull()
  })

  test('of an attempt is the exact sum, never below 0, and unknown while an answer waits', () => {
    expect(totalScore([0.1, 0.2, 0.3])).toBe(0.6)
    expect(totalScore([1, -3])).toBe(0)
    expect(totalScore([1, null])).toBeNull()
  })
})

test('passing compares exactly', () => {
  expect(isPassed(0.6, 1, 60)).toBe(true)
  expect(isPassed(0.59, 1, 60)).toBe(false)
  expect(isPassed(28.7, 41, 70)).toBe(true)
})

test('the grade is the best, first, last or average score', () => {
  const scores = [2, 5, 3]
  expect(gradeOfAttempts(scores, 'best')).toBe(5)
  expect(gradeOfAttempts(scores, 'first')).toBe(2)
  expect(gradeOfAttempts(scores, 'last')).toBe(3)
  expect(gradeOfAttempts(scores, 'average')).toBe(3.33)
  expect(gradeOfAttempts([], 'best')).toBeNull()
})

describe('a typed text', () => {
  const plain = { caseSensitive: false, trim: true, wildcards: false }
  test.each([
    ["п'ять", 'п’ять', plain, true],
    ['ПʼЯТЬ ', 'п’ять', plain, true],
    ['й', 'и\u0306', plain, true],
    ['Київ', 'київ', { ...plain, caseSensitive: true }, false],
    ['a  b', 'a b', { ...plain, trim: false }, false],
    ['Леся Українка', 'леся*', { ...plain, wildcards: true }, true],
    ['Українка', '*країн*', { ...plain, wildcards: true }, true],
    ['5*5', '5\\*5', { ...plain, wildcards: true }, true],
    ['575', '5\\*5', { ...plain, wildcards: true }, false],
    ['aba', 'ab*ba', { ...plain, wildcards: true }, false],
    ['abab', 'ab*ab', { ...plain, wildcards: true }, true],
    ['Київ.', 'Київ', plain, true],
    ['Київ', 'Київ.', plain, true],
    ['Київ.', 'Київ', { ...plain, lenient: false }, false],
    ['Київ...', 'Київ', plain, false],
    // Latin o, p, c and I.
    ['мopе', 'море', plain, true],
    ['Лecя Укpaїнкa.', 'Леся*', { ...plain, wildcards: true }, true],
    ['cпір', 'спір', { ...plain, caseSensitive: true }, true],
    ['cпір', 'спір', { ...plain, lenient: false }, false],
    ['cop', 'сор', plain, false],
  ])('%s against %s', (typed, accepted, comparison, expected) => {
    expect(matchesText(typed, accepted, comparison)).toBe(expected)
  })

  test('with many wildcards is compared without backtracking', () => {
    expect(matchesText('a'.repeat(500), `${'*a'.repeat(240)}*b`, { ...plain, wildcards: true })).toBe(false)
  })
})
