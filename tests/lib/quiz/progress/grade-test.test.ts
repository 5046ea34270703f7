import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GRADE_OF } from '#lib/core/shared/quiz.ts'
import { type AttemptResult, gradeTest } from '#lib/quiz/progress/grade-test.ts'

const at = (day: number) => new Date(Date.UTC(2026, 0, day))
const graded = (score: number, day: number, passed = score >= 6): AttemptResult => ({
  state: 'graded',
  submittedAt: at(day),
  score,
  maxScore: 10,
  passed,
})
const waiting = (day: number): AttemptResult => ({ ...graded(0, day), state: 'needsReview', score: null, passed: null })
const grade = (gradeOf: (typeof GRADE_OF)[number], ...attempts: AttemptResult[]) =>
  gradeTest(attempts, { gradeOf, passPercent: 60 })

test('the best attempt counts with its score, and the first that passed with its time', () => {
  expect(grade('best', graded(3, 1), graded(7, 2), graded(9, 3), graded(1, 4))).toEqual({
    percent: 90,
    at: at(3),
    passedAt: at(2),
  })
})

test('the first attempt counts once it is marked, whatever follows', () => {
  expect(grade('first', graded(3, 1), graded(9, 2))).toEqual({ percent: 30, at: at(1), passedAt: null })
  expect(grade('first', waiting(1), graded(9, 2))).toEqual({ percent: null, at: null, passedAt: null })
})

test('of the last attempts the last one that is marked counts', () => {
  expect(grade('last', graded(9, 1), graded(3, 2))).toEqual({ percent: 30, at: at(2), passedAt: null })
  expect(grade('last', graded(9, 1), waiting(2))).toEqual({ percent: 90, at: at(1), passedAt: at(1) })
})

test('an average is compared with the passing score of the test', () => {
  expect(grade('average', graded(3, 1), graded(9, 2))).toEqual({ percent: 60, at: at(2), passedAt: at(2) })
  expect(grade('average', graded(3, 1), graded(8, 2))).toEqual({ percent: 55, at: at(2), passedAt: null })
})

test('without a marked attempt there is no grade', () => {
  const running: AttemptResult = { state: 'inProgress', submittedAt: null, score: null, maxScore: 10, passed: null }
  const abandoned: AttemptResult = { ...running, state: 'abandoned', submittedAt: at(1) }
  for (const gradeOf of GRADE_OF)
    expect(grade(gradeOf, running, abandoned)).toEqual({ percent: null, at: null, passedAt: null })
})

test('one marked attempt gives the same grade by every method', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), (hundredths) => {
      const attempt = graded(hundredths / 100, 1)
      const grades = GRADE_OF.map((gradeOf) => grade(gradeOf, attempt))
      for (const other of grades) expect(other).toEqual(grades[0])
      expect(grades[0]?.percent).toBe(Math.floor(hundredths / 10))
    }),
  )
})
