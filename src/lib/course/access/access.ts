import type { CourseStatus, OverrideEffect } from '#lib/core/shared/learning.ts'
import { instantOfWallTime, wallTimeOf } from '#lib/core/shared/time-zone.ts'
import type { FrozenInterval } from '../schema.ts'
import { type Access, denyAccess, mostPermissive, OPEN_ACCESS } from './access-reason.ts'
import { evaluateRules, type LessonFacts, type RuleContext } from './access-rule.ts'

/** A grant as the access functions need it. */
export interface GrantFacts {
  id: string
  startsAt: Date
  endsAt: Date | null
  revokedAt: Date | null
  /** Ascending, without overlaps. During a freeze nothing is open and the schedule is paused. */
  frozen: readonly FrozenInterval[]
  /** Null opens the whole course. */
  moduleIds: readonly string[] | null
  /** Start of the rules "after the start"; null: counted from the first opening, which has not happened. */
  start: Date | null
  /** The study group behind the grant: overrides of the group apply to this grant only. */
  groupId: string | null
  /** Calendar days by which the group moves the dates of the rules; overrides add to it. */
  scheduleOffsetDays?: number
  /** Time zone of the group or the tenant, for rules without one. */
  zone: string
}

export interface CourseFacts {
  status: CourseStatus
  accessStart: Date | null
  accessEnd: Date | null
  progression: 'free' | 'sequential' | 'drip'
}

/** An override of one lesson, or of all where `lessonId` is null; for a student, a group or (neither) everybody. */
export interface AccessOverrideFacts {
  id: string
  studentId: string | null
  groupId: string | null
  lessonId: string | null
  effect: OverrideEffect
  days: number
  at: Date
}

/** Access to a course: at least one grant is current and neither frozen nor revoked. */
export function courseAccess(course: CourseFacts, grants: readonly GrantFacts[], now: Date): Access {
  if (course.status === 'draft') return denyAccess('course_not_published')
  if (course.accessStart && course.accessStart > now) return denyAccess('not_started', course.accessStart)
  if (course.accessEnd && course.accessEnd <= now) return denyAccess('ended')
  return mostPermissive(grants.map((grant) => accessOfGrant(grant, now)))
}

/**
 * Access to each lesson, in one pass over the outline: the union over the current grants of (an override opens the
 * lesson, or the grant covers its module and the rules of module and lesson hold, counted from that grant's start). A
 * grant never reduces the access that another one gives. `overrides` are those of the student, of any group and of the
 * whole course.
 */
export function outlineAccess(
  course: CourseFacts,
  grants: readonly GrantFacts[],
  overrides: readonly AccessOverrideFacts[],
  lessons: readonly LessonFacts[],
  now: Date,
): Access[] {
  const entry = courseAccess(course, grants, now)
  if (!entry.allow) return lessons.map(() => entry)
  const current = grants.filter((grant) => accessOfGrant(grant, now).allow)
  const overridesByGrant = current.map((grant) => effectiveOverrides(overrides, grant.groupId))
  const context: RuleContext = {
    lessons,
    now,
    index: 0,
    startsAt: null,
    frozen: [],
    zone: 'UTC',
    shiftDays: 0,
    checkedModules: new Map(),
  }
  return lessons.map((lesson, index) => {
    context.index = index
    const results = current.map((grant, grantIndex) => {
      const overrides = overridesByGrant[grantIndex]?.(lesson.id)
      const access = lessonAccessOfGrant(course, grant, overrides, lesson, context)
      return { ...access, grantId: grant.id }
    })
    return mostPermissive(results)
  })
}

/** Access to one lesson; `no_grant` for a lesson that is not in the outline. */
export function lessonAccess(
  course: CourseFacts,
  grants: readonly GrantFacts[],
  overrides: readonly AccessOverrideFacts[],
  lessons: readonly LessonFacts[],
  lessonId: string,
  now: Date,
): Access {
  const index = lessons.findIndex((lesson) => lesson.id === lessonId)
  return outlineAccess(course, grants, overrides, lessons, now)[index] ?? denyAccess('no_grant')
}

/** Access by a single grant at a moment, regardless of the state of the course. */
export function accessOfGrant(grant: GrantFacts, now: Date): Access {
  const { id: grantId } = grant
  if (grant.revokedAt && grant.revokedAt <= now) return { ...denyAccess('revoked'), grantId }
  if (grant.startsAt > now) return { ...denyAccess('not_started', grant.startsAt), grantId }
  const end = grantEndsAt(grant)
  if (end && end <= now) return { ...denyAccess('ended'), endedAt: end, grantId }
  const freeze = grant.frozen.find(({ from, to }) => new Date(from) <= now && (to === null || new Date(to) > now))
  if (freeze) return { ...denyAccess('frozen', freeze.to ? new Date(freeze.to) : undefined), grantId }
  return { ...OPEN_ACCESS, grantId }
}

/**
 * End of a grant: the stored end plus the time of its freezes, in local time, so that an end at midnight stays at
 * midnight. Null: no end, or unknown while a freeze has no end.
 */
export function grantEndsAt({ startsAt, endsAt, frozen, zone }: GrantFacts): Date | null {
  let end = endsAt
  for (const { from, to } of frozen) {
    const frozenAt = new Date(Math.max(Date.parse(from), startsAt.getTime()))
    if (end === null || frozenAt >= end) break
    if (to === null) return null
    const frozenMs = wallTimeOf(new Date(to), zone) - wallTimeOf(frozenAt, zone)
    if (frozenMs > 0) end = instantOfWallTime(wallTimeOf(end, zone) + frozenMs, zone)
  }
  return end
}

function lessonAccessOfGrant(
  course: CourseFacts,
  grant: GrantFacts,
  effective: EffectiveOverrides | undefined,
  lesson: LessonFacts,
  context: RuleContext,
): Access {
  const { openOrClose, shift } = effective ?? {}
  const isNamed = openOrClose !== undefined && (openOrClose.studentId !== null || openOrClose.groupId !== null)
  if (openOrClose?.effect === 'close') return { ...denyAccess('closed_by_school'), overrideId: openOrClose.id }
  // An override that opens a lesson for a named student or group also applies outside the modules of the grant.
  if (isNamed) return { allow: true, reason: 'opened_by_school', overrideId: openOrClose.id }
  if (grant.moduleIds && !grant.moduleIds.includes(lesson.moduleId)) return denyAccess('other_modules')
  if (openOrClose) return { allow: true, reason: 'opened_by_school', overrideId: openOrClose.id }
  context.startsAt = grant.start
  context.frozen = grant.frozen
  context.zone = grant.zone
  context.shiftDays = (grant.scheduleOffsetDays ?? 0) + (shift?.days ?? 0)
  const access = evaluateRules(
    course.progression === 'sequential' ? sequentialRules(lesson) : lessonRules(lesson),
    context,
  )
  return shift && access.at ? { ...access, overrideId: shift.id } : access
}

const lessonRules = (lesson: LessonFacts) => [lesson.moduleAvailability, lesson.availability]
const sequentialRules = (lesson: LessonFacts) => [...lessonRules(lesson), AFTER_PREVIOUS]
const AFTER_PREVIOUS = { mode: 'afterPrevious', of: 'lesson', require: 'completed' } as const

interface EffectiveOverrides {
  /** Opens or closes the lesson regardless of the rules. */
  openOrClose?: AccessOverrideFacts
  /** Moves the dates of the rules. */
  shift?: AccessOverrideFacts
}

/**
 * The overrides that apply to each lesson under a grant: a student's override precedes a group's, a group's precedes
 * the course's, then the newest wins.
 */
function effectiveOverrides(
  overrides: readonly AccessOverrideFacts[],
  groupId: string | null,
): (lessonId: string) => EffectiveOverrides {
  const applicable = overrides
    .filter((override) => override.groupId === null || override.groupId === groupId)
    .sort((a, b) => specificity(b) - specificity(a) || b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
  const findOpenOrClose = firstByLesson(applicable.filter(({ effect }) => effect !== 'shiftDays'))
  const findShift = firstByLesson(applicable.filter(({ effect }) => effect === 'shiftDays'))
  return (lessonId) => {
    const [openOrClose, shift] = [findOpenOrClose(lessonId), findShift(lessonId)]
    return { ...(openOrClose ? { openOrClose: openOrClose } : {}), ...(shift ? { shift: shift } : {}) }
  }
}

const specificity = (override: AccessOverrideFacts): number =>
  override.studentId !== null ? 2 : override.groupId !== null ? 1 : 0

/** Finds the first override in the given order that applies to a lesson. */
function firstByLesson(
  overrides: readonly AccessOverrideFacts[],
): (lessonId: string) => AccessOverrideFacts | undefined {
  const wholeCourseIndex = overrides.findIndex(({ lessonId }) => lessonId === null)
  const byLesson = new Map<string, AccessOverrideFacts>()
  for (const override of wholeCourseIndex === -1 ? overrides : overrides.slice(0, wholeCourseIndex)) {
    if (override.lessonId !== null && !byLesson.has(override.lessonId)) byLesson.set(override.lessonId, override)
  }
  return (lessonId) => byLesson.get(lessonId) ?? overrides[wholeCourseIndex]
}
