import { describe, expect, test } from 'vitest'
import {
  canReview,
  deadlineClock,
  holdsLock,
  missingForVerdict,
  type ReviewedTask,
  rubricSum,
} from '#lib/homework/review/rules.ts'

const NOW = new Date('2026-11-22T10:00:00Z')
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

test('a refused reviewer gets the reason', () => {
  expect(canReview({ roles: ['EXPERT'] }, false)).toEqual({ allow: true, reason: 'manages_content' })
  expect(canReview({ roles: ['CURATOR'] }, true)).toEqual({ allow: true, reason: 'curator_assigned' })
  expect(canReview({ roles: ['CURATOR'] }, false)).toEqual({ allow: false, reason: 'curator_not_assigned' })
  expect(canReview({ roles: ['MENTOR'] }, true)).toEqual({ allow: false, reason: 'no_review_role' })
})

describe('the response time', () => {
  test.each([
    [-1, 9, 'calm', 9],
    [-4.9, 5.1, 'calm', 5],
    [-5, 5, 'soon', 5],
    [-9, 0.5, 'soon', 0],
    [-10, 0, 'late', 0],
    [-10, -2.5, 'late', 2],
  ] as const)('submitted at %s h, promised at %s h: %s, %s h', (submitted, promised, tone, hours) => {
    expect(deadlineClock({ submittedAt: at(submitted), answerBy: at(promised) }, NOW)).toEqual({ tone, hours })
    const texts = { submittedAt: at(submitted).toISOString(), answerBy: at(promised).toISOString() }
    expect(deadlineClock(texts, NOW)).toEqual({ tone, hours })
  })

  test('is absent without a configured time or before submission', () => {
    const none = { tone: 'none', hours: null }
    expect(deadlineClock({ submittedAt: at(-1), answerBy: null }, NOW)).toEqual(none)
    expect(deadlineClock({ submittedAt: null, answerBy: at(1) }, NOW)).toEqual(none)
  })
})

const criterion = (id: string) => ({
  id,
  title: id,
  levels: [0, 2, 5].map((points) => ({ points, title: `${points}`, text: '' })),
})

describe('the points of a rubric', () => {
  const rubric = [criterion('a'), criterion('b')]
  test('add up by the selected level of each criterion', () => {
    expect(
      rubricSum(rubric, [
        { criterionId: 'b', level: 2 },
        { criterionId: 'a', level: 1 },
      ]),
    ).toBe(7)
    expect(
      rubricSum(rubric, [
        { criterionId: 'a', level: 0 },
        { criterionId: 'b', level: 0 },
      ]),
    ).toBe(0)
    expect(rubricSum([], [])).toBe(0)
  })

  test('are unknown while a criterion has no level', () => {
    expect(rubricSum(rubric, [{ criterionId: 'a', level: 1 }])).toBeNull()
    expect(
      rubricSum(rubric, [
        { criterionId: 'a', level: 1 },
        { criterionId: 'b', level: 3 },
      ]),
    ).toBeNull()
  })
})

describe('a review cannot be completed', () => {
  const plain: ReviewedTask = { grading: 'acceptReject', maxPoints: null, passPoints: null, rubric: [] }
  const points: ReviewedTask = { grading: 'points', maxPoints: 10, passPoints: 6, rubric: [] }
  const rubric: ReviewedTask = { ...plain, rubric: [criterion('a')] }
  const mute = { score: null, rubricMarks: [], hasFeedback: false }
  test.each([
    ['accept', plain, mute, null],
    ['return', plain, mute, 'review_needs_words'],
    ['reject', plain, mute, 'review_needs_words'],
    ['return', plain, { ...mute, hasFeedback: true }, null],
    ['reject', points, { ...mute, hasFeedback: true }, null],
    ['accept', rubric, mute, 'review_needs_rubric'],
    ['accept', rubric, { ...mute, rubricMarks: [{ criterionId: 'a', level: 1 }] }, null],
    ['accept', points, mute, 'review_needs_score'],
    ['accept', points, { ...mute, score: 5 }, 'review_score_below'],
    ['accept', points, { ...mute, score: 6 }, null],
    ['accept', points, { ...mute, score: 10 }, null],
    ['accept', points, { ...mute, score: 11 }, 'review_score_above'],
    ['return', points, { ...mute, hasFeedback: true, score: 11 }, 'review_score_above'],
    ['accept', { ...points, passPoints: null }, { ...mute, score: 0 }, null],
    ['accept', { ...points, maxPoints: null }, { ...mute, score: 999 }, null],
  ] as const)('by %s of %j with %j: %s', (verdict, task, marks, missing) => {
    expect(missingForVerdict(verdict, task, marks)).toBe(missing)
  })
})

test('a lock is held until its minutes have passed', () => {
  const lock = { lockedBy: 'me', lockedAt: at(-0.5) }
  expect(holdsLock(lock, 31, NOW)).toBe(true)
  expect(holdsLock(lock, 30, NOW)).toBe(false)
  expect(holdsLock({ ...lock, lockedAt: at(-0.5).toISOString() }, 31, NOW)).toBe(true)
  expect(holdsLock({ ...lock, lockedBy: null }, 31, NOW)).toBe(false)
  expect(holdsLock({ ...lock, lockedAt: null }, 31, NOW)).toBe(false)
})
