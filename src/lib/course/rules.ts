import type { CourseStatus } from '#lib/core/shared/learning.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** The fields of an actor that course permissions depend on. */
export interface CourseActor {
  roles: readonly Role[]
}

const CONTENT = ['OWNER', 'DIRECTOR', 'EXPERT'] as const

/** May list and read the content of every course. */
export function canSeeCourse(actor: CourseActor): Verdict {
  if (hasRole(actor, CONTENT)) return allow('manages_content')
  return hasRole(actor, ['CURATOR']) ? allow('curator_reads') : deny('no_course_role')
}

/** May create, edit, publish and archive courses. */
export function canEditCourse(actor: CourseActor): Verdict {
  if (hasRole(actor, CONTENT)) return allow('manages_content')
  return hasRole(actor, ['CURATOR']) ? deny('curator_reads_only') : deny('no_course_role')
}

/**
 * May see a course's students and their progress, and change their access. `assigned`: the actor is a curator of the
 * course.
 */
export function canManageStudents(actor: CourseActor, assigned: boolean): Verdict {
  if (hasRole(actor, CONTENT)) return allow('manages_content')
  if (!hasRole(actor, ['CURATOR'])) return deny('no_course_role')
  return assigned ? allow('curator_assigned') : deny('curator_not_assigned')
}

/** May study: only students; what is open to them depends on grants (access.ts). */
export function canStudy(actor: CourseActor): Verdict {
  return hasRole(actor, ['STUDENT']) ? allow('student') : deny('not_a_student')
}

export const COURSE_ACTIONS = ['publish', 'unpublish', 'archive', 'restore'] as const
export type CourseAction = (typeof COURSE_ACTIONS)[number]

const TRANSITIONS: Record<CourseStatus, Partial<Record<CourseAction, CourseStatus>>> = {
  draft: { publish: 'published', archive: 'archived' },
  published: { unpublish: 'draft', archive: 'archived' },
  archived: { restore: 'draft' },
}

/** The status after an action, or null where it is not allowed. */
export function nextStatus(status: CourseStatus, action: CourseAction): CourseStatus | null {
  return TRANSITIONS[status][action] ?? null
}

/** The actions that a course's status and students allow. */
export function availableActions(course: { status: CourseStatus; activeStudents: number }): CourseAction[] {
  return COURSE_ACTIONS.filter(
    (action) => nextStatus(course.status, action) !== null && !(action === 'unpublish' && course.activeStudents > 0),
  )
}

export interface CoursePublishFacts {
  title: string
  lessonsWithContent: number
  emptyLessons: number
  hasCover: boolean
  hasDescription: boolean
  /** A student or a group has access. */
  hasAccess: boolean
  /** A curator is assigned, or there are no required tasks. */
  hasReviewer: boolean
  /** Every test block has a test. */
  testsFilled: boolean
  /** Images have alternative text, headings are in order. */
  accessible: boolean
}

export interface CoursePublishCheck {
  key: 'title' | 'lesson' | 'emptyLessons' | 'tests' | 'cover' | 'description' | 'access' | 'reviewer' | 'accessible'
  passed: boolean
  /** A failed blocker prevents publication; other checks are advisory. */
  blocks: boolean
}

/** The publication checks. */
export function coursePublishChecks(facts: CoursePublishFacts): CoursePublishCheck[] {
  return [
    { key: 'title', passed: facts.title.trim() !== '', blocks: true },
    { key: 'lesson', passed: facts.lessonsWithContent > 0, blocks: true },
    { key: 'emptyLessons', passed: facts.emptyLessons === 0, blocks: false },
    { key: 'tests', passed: facts.testsFilled, blocks: false },
    { key: 'cover', passed: facts.hasCover, blocks: false },
    { key: 'description', passed: facts.hasDescription, blocks: false },
    { key: 'access', passed: facts.hasAccess, blocks: false },
    { key: 'reviewer', passed: facts.hasReviewer, blocks: false },
    { key: 'accessible', passed: facts.accessible, blocks: false },
  ]
}

/** Whether no blocker has failed. */
export function canPublishCourse(checks: readonly CoursePublishCheck[]): boolean {
  return checks.every((check) => check.passed || !check.blocks)
}
