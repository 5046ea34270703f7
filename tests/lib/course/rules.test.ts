import { describe, expect, test } from 'vitest'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import {
  COURSE_ACTS,
  type CourseAct,
  canEditCourse,
  canManageStudents,
  canPublish,
  canSeeCourse,
  canStudy,
  nextStatus,
  openActs,
  publishChecks,
} from '#lib/course/rules.ts'
import { COURSE_STATUS } from '#lib/course/schema.ts'
import { canInviteStudents } from '#lib/student/rules.ts'

const ACTS = {
  see: (roles: Role[]) => canSeeCourse({ roles }),
  edit: (roles: Role[]) => canEditCourse({ roles }),
  manageStudents: (roles: Role[]) => canManageStudents({ roles }, false),
  manageStudentsAssigned: (roles: Role[]) => canManageStudents({ roles }, true),
  invite: (roles: Role[]) => canInviteStudents({ roles }, false),
  inviteAssigned: (roles: Role[]) => canInviteStudents({ roles }, true),
  study: (roles: Role[]) => canStudy({ roles }),
}

// The table of product.md 2: who may, by role; all others may not.
const MAY: Record<keyof typeof ACTS, Role[]> = {
  see: ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'],
  edit: ['OWNER', 'DIRECTOR', 'EXPERT'],
  manageStudents: ['OWNER', 'DIRECTOR', 'EXPERT'],
  manageStudentsAssigned: ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'],
  invite: ['OWNER', 'DIRECTOR'],
  inviteAssigned: ['OWNER', 'DIRECTOR', 'CURATOR'],
  study: ['STUDENT'],
}

describe('who may do what with courses', () => {
  for (const [act, rule] of Object.entries(ACTS)) {
    test.each(ROLES)(`${act} as %s`, (role) => {
      const verdict = rule([role])
      expect(verdict.allow).toBe(MAY[act as keyof typeof ACTS].includes(role))
      expect(verdict.because).toMatch(/^[a-z_]+$/)
    })
  }

  test('several roles are their union', () => {
    expect(canEditCourse({ roles: ['CURATOR', 'EXPERT'] }).allow).toBe(true)
    expect(canInviteStudents({ roles: ['EXPERT', 'CURATOR'] }, true).allow).toBe(true)
    expect(canSeeCourse({ roles: [] }).allow).toBe(false)
  })
})

describe('the life of a course', () => {
  const expected: [(typeof COURSE_STATUS)[number], CourseAct, string][] = [
    ['draft', 'publish', 'published'],
    ['draft', 'archive', 'archived'],
    ['published', 'unpublish', 'draft'],
    ['published', 'archive', 'archived'],
    ['archived', 'restore', 'draft'],
  ]
  const all = COURSE_STATUS.flatMap((status) => COURSE_ACTS.map((act) => [status, act] as const))

  test.each(all)('%s, %s', (status, act) => {
    const row = expected.find(([from, by]) => from === status && by === act)
    expect(nextStatus(status, act)).toBe(row?.[2] ?? null)
  })

  test('does not go back to draft while somebody studies', () => {
    expect(openActs({ status: 'published', activeStudents: 1 })).toEqual(['archive'])
    expect(openActs({ status: 'published', activeStudents: 0 })).toEqual(['unpublish', 'archive'])
  })
})

describe('before a course is published', () => {
  const ready = {
    ...{ title: 'Курс', lessonsWithContent: 1, emptyLessons: 0, hasCover: false, hasDescription: false },
    ...{ hasAccess: true, testsFilled: true, accessible: true },
  }

  test('a title and one lesson with content are enough', () => {
    expect(canPublish(publishChecks(ready))).toBe(true)
  })

  test.each([{ title: ' ' }, { lessonsWithContent: 0 }])('%j stops it', (change) => {
    expect(canPublish(publishChecks({ ...ready, ...change }))).toBe(false)
  })

  test('empty lessons, a missing cover and description only advise', () => {
    const checks = publishChecks({ ...ready, emptyLessons: 3 })
    expect(checks.filter((check) => !check.passed).map((check) => check.key)).toEqual([
      'emptyLessons',
      'cover',
      'description',
    ])
    expect(canPublish(checks)).toBe(true)
  })
})
