import type { AccessRule, CourseStatus, FrozenInterval } from './schema.ts'
import { instantOf, localDay } from './zone.ts'

/** One reason why a student may study, as the access function needs it. */
export interface GrantFacts {
  startsAt: Date
  endsAt: Date | null
  revokedAt: Date | null
  frozen: readonly FrozenInterval[]
  /** Null opens the whole course. */
  moduleIds: readonly string[] | null
}

export interface CourseFacts {
  status: CourseStatus
  accessStart: Date | null
  accessEnd: Date | null
  progression: 'free' | 'sequential' | 'drip'
}

/** A lesson in the order of the outline, with what this student did in it. */
export interface LessonFacts {
  id: string
  moduleId: string
  title: string
  availability: AccessRule
  moduleAvailability: AccessRule
  required: boolean
  openedAt: Date | null
  completedAt: Date | null
}

export type Reason =
  | 'open'
  | 'course_not_published'
  | 'no_grant'
  | 'revoked'
  | 'not_started'
  | 'ended'
  | 'frozen'
  | 'other_modules'
  | 'opens_at'
  | 'after_lesson'
  | 'by_school'

/** Whether something is open to a student and why; `at` when it opens by itself, `after` the lesson to finish first. */
export interface Access {
  allow: boolean
  because: Reason
  at?: Date
  after?: { lessonId: string; title: string; require: 'opened' | 'completed' }
}

const OPEN: Access = { allow: true, because: 'open' }

/** Whether a student may enter a course: any grant that is current, neither frozen nor revoked. */
export function courseAccess(course: CourseFacts, grants: readonly GrantFacts[], now: Date): Access {
  if (course.status === 'draft') return no('course_not_published')
  if (course.accessStart && course.accessStart > now) return no('not_started', course.accessStart)
  if (course.accessEnd && course.accessEnd <= now) return no('ended')
  return best(grants.map((grant) => grantAccess(grant, now)))
}

/**
 * Whether a lesson is open: the union over the grants of (the grant is current, covers the module, and the rules of
 * module and lesson hold counting from that grant's start). So one grant never takes away what another gives.
 */
export function lessonAccess(
  course: CourseFacts,
  grants: readonly GrantFacts[],
  lessons: readonly LessonFacts[],
  lessonId: string,
  now: Date,
): Access {
  const whole = courseAccess(course, grants, now)
  const index = lessons.findIndex((one) => one.id === lessonId)
  const lesson = lessons[index]
  if (!whole.allow || !lesson) return whole.allow ? no('no_grant') : whole
  return best(
    grants.map((grant) => {
      const current = grantAccess(grant, now)
      if (!current.allow) return current
      if (grant.moduleIds && !grant.moduleIds.includes(lesson.moduleId)) return no('other_modules')
      const view: View = { lessons, index, start: grant.startsAt, now }
      return every([
        ruleAccess(lesson.moduleAvailability, view),
        ruleAccess(lesson.availability, view),
        course.progression === 'sequential' ? afterPrevious({ of: 'lesson', require: 'completed' }, view) : OPEN,
      ])
    }),
  )
}

/** What a single grant says of the moment, whatever the course holds. */
export function grantAccess(grant: GrantFacts, now: Date): Access {
  if (grant.revokedAt && grant.revokedAt <= now) return no('revoked')
  if (grant.startsAt > now) return no('not_started', grant.startsAt)
  if (grant.endsAt && grant.endsAt <= now) return no('ended')
  const freeze = grant.frozen.find(({ from, to }) => new Date(from) <= now && (to === null || new Date(to) > now))
  return freeze ? no('frozen', freeze.to ? new Date(freeze.to) : undefined) : OPEN
}

interface View {
  lessons: readonly LessonFacts[]
  index: number
  start: Date
  now: Date
}

function ruleAccess(rule: AccessRule, view: View): Access {
  switch (rule.mode) {
    case 'open':
      return OPEN
    case 'manual':
      return no('by_school')
    case 'date':
      return from(new Date(rule.at), view.now)
    case 'afterStart':
      return from(instantOf(localDay(view.start, rule.zone, rule.days), rule.time, rule.zone), view.now)
    case 'afterPrevious':
      return afterPrevious(rule, view)
    case 'all':
      return every(rule.rules.map((one) => ruleAccess(one, view)))
    case 'any':
      return best(rule.rules.map((one) => ruleAccess(one, view)))
  }
}

type Previous = Omit<Extract<AccessRule, { mode: 'afterPrevious' }>, 'mode'>

// Homework and tests bring their own facts later; until then what is asked of them is that the lesson is completed.
function afterPrevious(rule: Previous, { lessons, index, now }: View): Access {
  const here = lessons[index]
  const before = lessons.slice(0, index)
  const asked =
    rule.of === 'lesson'
      ? before.slice(-1)
      : before.filter((one) => one.moduleId === moduleBefore(before, here?.moduleId))
  const require = rule.require === 'opened' ? 'opened' : 'completed'
  const doneAt = (one: LessonFacts) => (require === 'opened' ? one.openedAt : one.completedAt)
  const missing = asked.find((one) => (one.required || rule.of === 'lesson') && doneAt(one) === null)
  if (missing) {
    return { allow: false, because: 'after_lesson', after: { lessonId: missing.id, title: missing.title, require } }
  }
  const last = Math.max(0, ...asked.map((one) => doneAt(one)?.getTime() ?? 0))
  return rule.delayHours ? from(new Date(last + rule.delayHours * 3_600_000), now) : OPEN
}

function moduleBefore(before: readonly LessonFacts[], moduleId: string | undefined): string | undefined {
  return before.findLast((one) => one.moduleId !== moduleId)?.moduleId
}

function from(at: Date, now: Date): Access {
  return at <= now ? OPEN : no('opens_at', at)
}

/** The most generous of several answers; among refusals the one that ends soonest. */
function best(answers: readonly Access[]): Access {
  const open = answers.find((one) => one.allow)
  if (open) return open
  const dated = answers.filter((one) => one.at).sort((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))
  return dated[0] ?? answers.find((one) => one.because !== 'revoked') ?? answers[0] ?? no('no_grant')
}

/** The strictest of several answers; of dates the latest, since all must have come. */
function every(answers: readonly Access[]): Access {
  const refused = answers.filter((one) => !one.allow)
  const undated = refused.find((one) => !one.at)
  if (undated) return undated
  return refused.sort((a, b) => (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0))[0] ?? OPEN
}

function no(because: Reason, at?: Date): Access {
  return at ? { allow: false, because, at } : { allow: false, because }
}
