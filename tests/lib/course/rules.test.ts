import { describe, expect, test } from 'vitest'
import { COURSE_STATUS } from '#lib/core/shared/learning.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import {
  availableActions,
  COURSE_ACTIONS,
  type CourseAction,
  canEditCourse,
  canManageStudents,
  canPublishCourse,
  canSeeCourse,
  canStudy,
  coursePublishChecks,
  nextStatus,
} from '#lib/course/rules.ts'
import { canInviteStudents } from '#lib/student/rules.ts'

const ACTIONS = {
  see: (roles: Role[]) => canSeeCourse({ roles }),
  edit: (roles: Role[]) => canEditCourse({ roles }),
  manageStudents: (roles: Role[]) => canManageStudents({ roles }, false),
  manageStudentsAssigned: (roles: Role[]) => canManageStudents({ roles }, true),
  invite: (roles: Role[]) => canInviteStudents({ roles }, false),
  inviteAssigned: (roles: Role[]) => canInviteStudents({ roles }, true),
  study: (roles: Role[]) => canStudy({ roles }),
}

// The table of product.md 2: the roles that may; all others may not.
const MAY: Record<keyof typeof ACTIONS, Role[]> = {
  see: ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'],
  edit: ['OWNER', 'DIRECTOR', 'EXPERT'],
  manageStudents: ['OWNER', 'DIRECTOR', 'EXPERT'],
  manageStudentsAssigned: ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'],
  invite: ['OWNER', 'DIRECTOR'],
  inviteAssigned: ['OWNER', 'DIRECTOR', 'CURATOR'],
  study: ['STUDENT'],
}

describe('permissions of courses', () => {
  for (const [action, rule] of Object.entries(ACTIONS)) {
    test.each(ROLES)(`${action} as %s`, (role) => {
      const verdict = rule([role])
      expect(verdict.allow).toBe(MAY[action as keyof typeof ACTIONS].includes(role))
      expect(verdict.reason).toMatch(/^[a-z_]+$/)
    })
  }

  test('several roles are their union', () => {
    expect(canEditCourse({ roles: ['CURATOR', 'EXPERT'] }).allow).toBe(true)
    expect(canInviteStudents({ roles: ['EXPERT', 'CURATOR'] }, true).allow).toBe(true)
    expect(canSeeCourse({ roles: [] }).allow).toBe(false)
  })
})

describe('the life cycle of a course', () => {
  const expected: [(typeof COURSE_STATUS)[number], CourseAction, string][] = [
    ['draft', 'publish', 'published'],
    ['draft', 'archive', 'archived'],
    ['published', 'unpublish', 'draft'],
    ['published', 'archive', 'archived'],
    ['archived', 'restore', 'draft'],
  ]
  const all = COURSE_STATUS.flatMap((status) => COURSE_ACTIONS.map((action) => [status, action] as const))

  test.each(all)('%s, %s', (status, action) => {
    const row = expected.find(([from, by]) => from === status && by === action)
    expect(nextStatus(status, action)).toBe(row?.[2] ?? null)
  })

  test('does not return to draft while it has students', () => {
    expect(availableActions({ status: 'published', activeStudents: 1 })).toEqual(['archive'])
    expect(availableActions({ status: 'published', activeStudents: 0 })).toEqual(['unpublish', 'archive'])
  })
})

describe('checks before publication', () => {
  const ready = {
    title: 'Курс',
    lessonsWithContent: 1,
    emptyLessons: 0,
    hasCover: false,
    hasDescription: false,
    hasAccess: true,
    hasReviewer: true,
    testsFilled: true,
    accessible: true,
  }

  test('pass with a title and one lesson with content', () => {
    expect(canPublishCourse(coursePublishChecks(ready))).toBe(true)
  })

  test.each([{ title: ' ' }, { lessonsWithContent: 0 }])('%j prevents it', (change) => {
    expect(canPublishCourse(coursePublishChecks({ ...ready, ...change }))).toBe(false)
  })

  test('warn about empty lessons, a missing cover, description and reviewer', () => {
    const checks = coursePublishChecks({ ...ready, emptyLessons: 3, hasReviewer: false })
    expect(checks.filter((check) => !check.passed).map((check) => check.key)).toEqual([
      'emptyLessons',
      'cover',
      'description',
      'reviewer',
    ])
    expect(canPublishCourse(checks)).toBe(true)
  })
})

test('each check examines its own fact', () => {
  const ready = {
    title: 'Курс',
    lessonsWithContent: 1,
    emptyLessons: 0,
    hasCover: true,
    hasDescription: true,
    hasAccess: true,
    hasReviewer: true,
    testsFilled: true,
    accessible: true,
  }
  const failing = (change: object) =>
    coursePublishChecks({ ...ready, ...change })
      .filter(({ passed }) => !passed)
      .map(({ key, blocks }) => [key, blocks])
  expect(failing({})).toEqual([])
  expect(failing({ title: ' ' })).toEqual([['title', true]])
  expect(failing({ lessonsWithContent: 0 })).toEqual([['lesson', true]])
  expect(failing({ emptyLessons: 1 })).toEqual([['emptyLessons', false]])
  expect(failing({ testsFilled: false })).toEqual([['tests', false]])
  expect(failing({ hasCover: false })).toEqual([['cover', false]])
  expect(failing({ hasDescription: false })).toEqual([['description', false]])
  expect(failing({ hasAccess: false })).toEqual([['access', false]])
  expect(failing({ hasReviewer: false })).toEqual([['reviewer', false]])
  expect(failing({ accessible: false })).toEqual([['accessible', false]])
})

test('a refusal states its reason', () => {
  const reason = (role: Role) => [
    canSeeCourse({ roles: [role] }).reason,
    canEditCourse({ roles: [role] }).reason,
    canManageStudents({ roles: [role] }, false).reason,
    canManageStudents({ roles: [role] }, true).reason,
    canStudy({ roles: [role] }).reason,
  ]
  const content = 'manages_content'
  expect(reason('EXPERT')).toEqual([content, content, content, content, 'not_a_student'])
  expect(reason('CURATOR')).toEqual([
    'curator_reads',
    'curator_reads_only',
    'curator_not_assigned',
    'curator_assigned',
    'not_a_student',
  ])
  expect(reason('STUDENT')).toEqual([...Array(4).fill('no_course_role'), 'student'])
})
