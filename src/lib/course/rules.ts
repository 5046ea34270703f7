import type { CourseStatus } from '#lib/core/shared/learning.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** The part of an actor that decides in this room. */
export interface CourseActor {
  roles: readonly Role[]
}

const CONTENT = ['OWNER', 'DIRECTOR', 'EXPERT'] as const

/** Lists and reads the content of every course of the school. */
export function canSeeCourse(actor: CourseActor): Verdict {
  if (hasRole(actor, CONTENT)) return allow('manages_content')
  return hasRole(actor, ['CURATOR']) ? allow('curator_reads') : deny('no_course_role')
}

/** Creates, writes, publishes, archives. */
export function canEditCourse(actor: CourseActor): Verdict {
  if (hasRole(actor, CONTENT)) return allow('manages_content')
  return hasRole(actor, ['CURATOR']) ? deny('curator_reads_only') : deny('no_course_role')
}

/** Sees a course's students and their progress, changes their access. `assigned`: stands in the course's staff. */
export function canManageStudents(actor: CourseActor, assigned: boolean): Verdict {
  if (hasRole(actor, CONTENT)) return allow('manages_content')
  if (!hasRole(actor, ['CURATOR'])) return deny('no_course_role')
  return assigned ? allow('curator_assigned') : deny('curator_not_assigned')
}

/** Studies: only students, and only what a grant opens (see access.ts). */
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

/** The status after an act, or null where that act has no place. */
export function nextStatus(status: CourseStatus, action: CourseAction): CourseStatus | null {
  return TRANSITIONS[status][action] ?? null
}

/** The acts that a course's status and students leave open. */
export function availableActions(course: { status: CourseStatus; activeStudents: number }): CourseAction[] {
  return COURSE_ACTIONS.filter(
    (action) => nextStatus(course.status, action) !== null && !(action === 'unpublish' && course.activeStudents > 0),
  )
}

export interface PublishFacts {
  title: string
  lessonsWithContent: number
  emptyLessons: number
  hasCover: boolean
  hasDescription: boolean
  /** Somebody may study it: a student or a group was let in. */
  hasAccess: boolean
  /** Somebody is named to review the required tasks, or there are none. */
  hasReviewer: boolean
  /** Every slot for a test holds one. */
  testsFilled: boolean
  /** Pictures have words, headings their order. */
  accessible: boolean
}

export interface PublishCheck {
  key: 'title' | 'lesson' | 'emptyLessons' | 'tests' | 'cover' | 'description' | 'access' | 'reviewer' | 'accessible'
  passed: boolean
  /** A blocker stops the publication, the rest is advice. */
  blocks: boolean
}

/** What is looked at before a course is published. */
export function publishChecks(facts: PublishFacts): PublishCheck[] {
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

/** Whether nothing that blocks is left. */
export function canPublish(checks: readonly PublishCheck[]): boolean {
  return checks.every((check) => check.passed || !check.blocks)
}
