import { describe, expect, test } from 'vitest'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { canEditQuizzes, canReadQuizzes, canReviewAttempts, canTakeQuiz, quizIssues } from '#lib/quiz/rules.ts'

const ACTIONS = {
  read: (roles: Role[]) => canReadQuizzes({ roles }),
  edit: (roles: Role[]) => canEditQuizzes({ roles }),
  review: (roles: Role[]) => canReviewAttempts({ roles }, false),
  reviewAssigned: (roles: Role[]) => canReviewAttempts({ roles }, true),
  take: (roles: Role[]) => canTakeQuiz({ roles }, { isOwn: true }),
  takeOfOthers: (roles: Role[]) => canTakeQuiz({ roles }, { isOwn: false }),
}

const ALLOWED: Record<keyof typeof ACTIONS, Role[]> = {
  read: ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'],
  edit: ['OWNER', 'DIRECTOR', 'EXPERT'],
  review: ['OWNER', 'DIRECTOR', 'EXPERT'],
  reviewAssigned: ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'],
  take: ['STUDENT'],
  takeOfOthers: [],
}

describe('permissions of tests', () => {
  for (const [action, rule] of Object.entries(ACTIONS)) {
    test.each(ROLES)(`${action} as %s`, (role) => {
      const verdict = rule([role])
      expect(verdict.allow).toBe(ALLOWED[action as keyof typeof ACTIONS].includes(role))
      expect(verdict.reason).toMatch(/^[a-z_]+$/)
    })
  }
})

describe('issues of a test', () => {
  const fixed = { id: 's1', pick: 'fixed' as const, count: null, available: 0, sharedNeed: 0 }
  const random = { id: 's2', pick: 'random' as const, count: 5, questions: [] }
  const question = { questionId: 'q', complete: true, deleted: false }

  test('a test without sections has no questions', () => {
    expect(quizIssues([])).toMatchObject([{ key: 'noQuestions' }])
  })
  test('an empty section, an incomplete and a deleted question are reported', () => {
    expect(quizIssues([{ ...fixed, questions: [] }])).toMatchObject([{ key: 'emptySection' }])
    expect(quizIssues([{ ...fixed, questions: [{ ...question, complete: false }] }])).toMatchObject([
      { key: 'incompleteQuestion', questionId: 'q' },
    ])
    expect(quizIssues([{ ...fixed, questions: [{ ...question, deleted: true }] }])).toMatchObject([
      { key: 'deletedQuestion' },
    ])
  })
  test('a random section larger than its pool is reported', () => {
    expect(quizIssues([{ ...random, available: 4, sharedNeed: 5 }])).toMatchObject([
      { key: 'randomPoolTooSmall', available: 4, needed: 5 },
    ])
    expect(quizIssues([{ ...random, available: 5, sharedNeed: 5 }])).toEqual([])
  })
})
