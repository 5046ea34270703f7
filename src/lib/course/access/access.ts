import type { CourseStatus, OverrideEffect } from '#lib/core/shared/learning.ts'
import { atWall, wallOf } from '#lib/core/shared/zone.ts'
import type { FrozenInterval } from '../schema.ts'
import { type Access, best, closed, OPEN } from './access-reason.ts'
import { type LessonFacts, ruleAccess, type View } from './access-rule.ts'

/** One reason why a student may study, as the access function needs it. */
export interface GrantFacts {
  id: string
  startsAt: Date
  endsAt: Date | null
  revokedAt: Date | null
  /** Ascending and apart. While one lasts nothing is open, and the clock stands still. */
  frozen: readonly FrozenInterval[]
  /** Null opens the whole course. */
  moduleIds: readonly string[] | null
  /** What "after the start" counts from; null: the first opening of a lesson, which has not come yet. */
  start: Date | null
  /** The group that gives it: overrides for that group speak of this grant alone. */
  groupId: string | null
  /** The zone of the group or of the school, in which days are counted where a rule names none. */
  zone: string
}

export interface CourseFacts {
  status: CourseStatus
  accessStart: Date | null
  accessEnd: Date | null
  progression: 'free' | 'sequential' | 'drip'
}

/** What is said by hand of a lesson, or of all where `lessonId` is null: for a student, a group, or (neither) everybody. */
export interface OverrideFacts {
  id: string
  studentId: string | null
  groupId: string | null
  lessonId: string | null
  effect: OverrideEffect
  days: number
  at: Date
}

/** Whether a student may enter a course: any grant that is current, neither frozen nor revoked. */
export function courseAccess(course: CourseFacts, grants: readonly GrantFacts[], now: Date): Access {
  if (course.status === 'draft') return closed('course_not_published')
  if (course.accessStart && course.accessStart > now) return closed('not_started', course.accessStart)
  if (course.accessEnd && course.accessEnd <= now) return closed('ended')
  return best(grants.map((grant) => grantAccess(grant, now)))
}

/**
 * Whether each lesson is open, in one walk over the outline: the union over the current grants of (an override opens it,
 * or the grant covers its module and the rules of module and lesson hold, counting from that grant's start). So one grant
 * never takes away what another gives. `overrides` are those of this student, of any groups, and of the whole course.
 */
export function outlineAccess(
  course: CourseFacts,
  grants: readonly GrantFacts[],
  overrides: readonly OverrideFacts[],
  lessons: readonly LessonFacts[],
  now: Date,
): Access[] {
  const whole = courseAccess(course, grants, now)
  if (!whole.allow) return lessons.map(() => whole)
  const current = grants.filter((grant) => grantAccess(grant, now).allow)
  const said = current.map((grant) => sayings(overrides, grant.groupId))
  const view: View = { lessons, now, index: 0, start: null, frozen: [], zone: 'UTC', shift: 0, past: new Map() }
  return lessons.map((lesson, index) => {
    view.index = index
    const answers = current.map((grant, place) => {
      const heard = said[place]?.(lesson.id)
      const access = underGrant(course, grant, heard, lesson, view)
      return { ...access, grantId: grant.id }
    })
    return best(answers)
  })
}

/** The same for one lesson; `no_grant` for a lesson that the outline does not hold. */
export function lessonAccess(
  course: CourseFacts,
  grants: readonly GrantFacts[],
  overrides: readonly OverrideFacts[],
  lessons: readonly LessonFacts[],
  lessonId: string,
  now: Date,
): Access {
  const index = lessons.findIndex((one) => one.id === lessonId)
  return outlineAccess(course, grants, overrides, lessons, now)[index] ?? closed('no_grant')
}

/** What a single grant says of the moment, whatever the course holds. */
export function grantAccess(grant: GrantFacts, now: Date): Access {
  const { id: grantId } = grant
  if (grant.revokedAt && grant.revokedAt <= now) return { ...closed('revoked'), grantId }
  if (grant.startsAt > now) return { ...closed('not_started', grant.startsAt), grantId }
  const end = endOf(grant)
  if (end && end <= now) return { ...closed('ended'), endedAt: end, grantId }
  const freeze = grant.frozen.find(({ from, to }) => new Date(from) <= now && (to === null || new Date(to) > now))
  if (freeze) return { ...closed('frozen', freeze.to ? new Date(freeze.to) : undefined), grantId }
  return { ...OPEN, grantId }
}

/**
 * When a grant ends: as written down and later by as long as it was frozen, by the clock on the wall, so that an end at
 * midnight stays at midnight. Null: never, or not known while a freeze has no end.
 */
export function endOf({ startsAt, endsAt, frozen, zone }: GrantFacts): Date | null {
  let end = endsAt
  for (const { from, to } of frozen) {
    const begun = new Date(Math.max(Date.parse(from), startsAt.getTime()))
    if (end === null || begun >= end) break
    if (to === null) return null
    const length = wallOf(new Date(to), zone) - wallOf(begun, zone)
    if (length > 0) end = atWall(wallOf(end, zone) + length, zone)
  }
  return end
}

function underGrant(
  course: CourseFacts,
  grant: GrantFacts,
  heard: Saying | undefined,
  lesson: LessonFacts,
  view: View,
): Access {
  const { turned, moved } = heard ?? {}
  const named = turned !== undefined && (turned.studentId !== null || turned.groupId !== null)
  if (turned?.effect === 'close') return { ...closed('closed_by_school'), overrideId: turned.id }
  // Who opens a lesson for somebody by name means it, also beyond the modules of the grant.
  if (named) return { allow: true, because: 'opened_by_school', overrideId: turned.id }
  if (grant.moduleIds && !grant.moduleIds.includes(lesson.moduleId)) return closed('other_modules')
  if (turned) return { allow: true, because: 'opened_by_school', overrideId: turned.id }
  view.start = grant.start
  view.frozen = grant.frozen
  view.zone = grant.zone
  view.shift = moved?.days ?? 0
  const access = ruleAccess(course.progression === 'sequential' ? inTurn(lesson) : rulesOf(lesson), view)
  return moved && access.at ? { ...access, overrideId: moved.id } : access
}

const rulesOf = (lesson: LessonFacts) => [lesson.moduleAvailability, lesson.availability]
const inTurn = (lesson: LessonFacts) => [...rulesOf(lesson), AFTER_PREVIOUS]
const AFTER_PREVIOUS = { mode: 'afterPrevious', of: 'lesson', require: 'completed' } as const

interface Saying {
  /** Opened or closed, whatever the rules say. */
  turned?: OverrideFacts
  /** The rules' days moved. */
  moved?: OverrideFacts
}

/** What the overrides say of each lesson under a grant: the student's before the group's before the course's, the newest first. */
function sayings(overrides: readonly OverrideFacts[], groupId: string | null): (lessonId: string) => Saying {
  const heard = overrides
    .filter((one) => one.groupId === null || one.groupId === groupId)
    .sort((a, b) => weight(b) - weight(a) || b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
  const turned = firstFor(heard.filter(({ effect }) => effect !== 'shiftDays'))
  const moved = firstFor(heard.filter(({ effect }) => effect === 'shiftDays'))
  return (lessonId) => {
    const [turn, move] = [turned(lessonId), moved(lessonId)]
    return { ...(turn ? { turned: turn } : {}), ...(move ? { moved: move } : {}) }
  }
}

const weight = (one: OverrideFacts): number => (one.studentId !== null ? 2 : one.groupId !== null ? 1 : 0)

/** Of overrides in their order, the first that speaks of a lesson. */
function firstFor(heard: readonly OverrideFacts[]): (lessonId: string) => OverrideFacts | undefined {
  const all = heard.findIndex(({ lessonId }) => lessonId === null)
  const named = new Map<string, OverrideFacts>()
  for (const one of all === -1 ? heard : heard.slice(0, all)) {
    if (one.lessonId !== null && !named.has(one.lessonId)) named.set(one.lessonId, one)
  }
  return (lessonId) => named.get(lessonId) ?? heard[all]
}
