import { expect, test } from 'vitest'
import { ATTEMPT_STATES, MANUAL_TYPES, type QuestionType } from '#lib/core/shared/quiz.ts'
import { commentField, OVERALL_FIELD, parseScore, readReviewForm, scoreField } from '#lib/quiz/review/form-rules.ts'
import {
  canAcceptLate,
  canBeMarked,
  compactDraft,
  needsMark,
  overmarkedQuestions,
  releasedReview,
  unmarkedQuestions,
} from '#lib/quiz/review/rules.ts'

const manual: QuestionType = MANUAL_TYPES[0] ?? 'essay'
const answer = (questionId: string, change: object = {}) => ({
  questionId,
  type: manual,
  points: 5,
  hasAnswer: true,
  ...change,
})
const mark = (score: number | null, comment = '') => ({ score, comment })

test('attempts are marked after their submission; late answers are accepted also of abandoned ones', () => {
  const marked = ATTEMPT_STATES.filter(canBeMarked)
  expect(marked).toEqual(['submitted', 'needsReview', 'graded'])
  expect(ATTEMPT_STATES.filter(canAcceptLate)).toEqual([...marked, 'abandoned'])
})

test('an answer to a question that is marked manually waits until it has a mark, 0 included', () => {
  expect(MANUAL_TYPES.every((type) => needsMark({ type, hasAnswer: true }))).toBe(true)
  expect([needsMark({ type: manual, hasAnswer: false }), needsMark({ type: 'single', hasAnswer: true })]).toEqual([
    false,
    false,
  ])
  const answers = [answer('a'), answer('b'), answer('c'), answer('d', { hasAnswer: false }), answer('e')]
  const draft = { marks: { a: mark(0), b: mark(null, 'Гарно'), e: mark(2) }, comment: '' }
  expect(unmarkedQuestions(answers, draft)).toEqual(['b', 'c'])
})

test('a mark is at most the points of the question', () => {
  const draft = { marks: { a: mark(5), b: mark(5.01), c: mark(null) }, comment: '' }
  expect(overmarkedQuestions([answer('a'), answer('b'), answer('c'), answer('d')], draft)).toEqual(['b'])
})

test('a draft keeps what was written, in the order of the questions', () => {
  const marks = { b: mark(1), a: mark(null, 'Текст'), empty: mark(null), unknown: mark(3), zero: mark(0) }
  const compact = compactDraft({ marks, comment: 'Загалом добре' }, ['a', 'b', 'empty', 'zero', 'missing'])
  expect(compact).toEqual({ marks: { a: mark(null, 'Текст'), b: mark(1), zero: mark(0) }, comment: 'Загалом добре' })
  expect(Object.keys(compact.marks)).toEqual(['a', 'b', 'zero'])
  const released = [
    { questionId: 'b', manualScore: 2, comment: '' },
    { questionId: 'a', manualScore: null, comment: '' },
  ]
  expect(releasedReview(released, 'Разом', ['a', 'b'])).toEqual({ marks: { b: mark(2) }, comment: 'Разом' })
})

test('a score has at most two decimals, with a point or a comma', () => {
  expect(['5', '4,5', '4.25', ' 1 000 ', '0', '3.'].map(parseScore)).toEqual([5, 4.5, 4.25, 1000, 0, 3])
  expect(['', '-1', '1.234', '12345', 'x5', '5x', '1,2,3'].map(parseScore)).toEqual(Array(7).fill(null))
})

test('the form of a review is read; scores that are no numbers are named', () => {
  const form = new FormData()
  form.set(scoreField('a'), ' 4,5 ')
  form.set(commentField('a'), 'Перший\r\nдругий')
  form.set(scoreField('b'), 'п’ять')
  form.set(scoreField('c'), '')
  form.set(commentField('c'), new Blob(['x']), 'x.txt')
  form.set(OVERALL_FIELD, 'Разом')
  expect(readReviewForm(form, ['a', 'b', 'c', 'd'])).toEqual({
    draft: {
      marks: { a: mark(4.5, 'Перший\nдругий'), b: mark(null), c: mark(null), d: mark(null) },
      comment: 'Разом',
    },
    invalid: ['b'],
  })
  expect([scoreField('a'), commentField('a'), OVERALL_FIELD]).toEqual(['score.a', 'comment.a', 'overall'])
})
