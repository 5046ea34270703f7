import type { SubmissionState } from '#lib/core/shared/learning.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { addDays, dayNumber, instantOfDay } from '#lib/core/shared/time-zone.ts'
import type { AccessRule, FrozenInterval } from '../schema.ts'
import { type Access, denyAccess, mostPermissive, mostRestrictive, OPEN_ACCESS } from './access-reason.ts'

/** A lesson of the outline with the progress of one student. */
export interface LessonFacts {
  id: string
  moduleId: string
  title: string
  availability: AccessRule
  moduleAvailability: AccessRule
  required: boolean
  /** Required tasks of the lesson. */
  taskCount: number
  openedAt: Date | null
  completedAt: Date | null
  homeworkState: SubmissionState | null
  homeworkAcceptedAt: Date | null
  testPassedAt: Date | null
}

/** Input of the rules of one lesson. */
export interface RuleContext {
  lessons: readonly LessonFacts[]
  index: number
  now: Date
  /** Null: counted from the first opening, which has not happened. */
  startsAt: Date | null
  frozen: readonly FrozenInterval[]
  zone: string
  /** Calendar days by which overrides move the dates of the rules. */
  shiftDays: number
  /** Results per previous module, so that one pass over the outline stays linear. */
  checkedModules: Map<string, PrerequisiteCheck>
}

interface PrerequisiteCheck {
  missing: LessonFacts | null
  passedAtMs: number
}

/** Whether all of some rules hold for the lesson at `view.index`. */
export function evaluateRules(rules: readonly AccessRule[], context: RuleContext): Access {
  return mostRestrictive(rules.map((rule) => evaluateRule(rule, context)))
}

function evaluateRule(rule: AccessRule, context: RuleContext): Access {
  switch (rule.mode) {
    case 'open':
      return OPEN_ACCESS
    case 'manual':
      return denyAccess('by_school')
    case 'date':
      return openFrom(addDays(new Date(rule.at), context.shiftDays, context.zone), context.now)
    case 'afterStart':
      return accessAfterStart(rule, context)
    case 'afterPrevious':
      return accessAfterPrevious(rule, context)
    case 'all':
      return evaluateRules(rule.rules, context)
    case 'any':
      return mostPermissive(rule.rules.map((inner) => evaluateRule(inner, context)))
  }
}

function accessAfterStart(
  { days, time, zone }: Extract<AccessRule, { mode: 'afterStart' }>,
  context: RuleContext,
): Access {
  let day = dayNumber(context.startsAt ?? context.now, zone) + days + context.shiftDays
  // A freeze pauses the schedule: a lesson that would have opened during or after it opens as many calendar days later.
  for (const freeze of context.frozen) {
    const frozenFrom = new Date(Math.max(Date.parse(freeze.from), context.startsAt?.getTime() ?? 0))
    if (freeze.to === null || frozenFrom >= instantOfDay(day, time, zone)) break
    day += Math.max(0, dayNumber(new Date(freeze.to), zone) - dayNumber(frozenFrom, zone))
  }
  const at = instantOfDay(day, time, zone)
  return context.startsAt || at <= context.now ? openFrom(at, context.now) : denyAccess('first_opening')
}

type PrerequisiteRule = Omit<Extract<AccessRule, { mode: 'afterPrevious' }>, 'mode'>

function accessAfterPrevious({ of: scope, require, delayHours }: PrerequisiteRule, context: RuleContext): Access {
  const { missing, passedAtMs } =
    scope === 'lesson' ? checkPreviousLesson(require, context) : checkPreviousModule(require, context)
  if (missing) {
    return { allow: false, reason: 'after_lesson', after: { lessonId: missing.id, title: missing.title, require } }
  }
  return delayHours ? openFrom(new Date(passedAtMs + delayHours * HOUR_MS), context.now) : OPEN_ACCESS
}

function checkPreviousLesson(require: PrerequisiteRule['require'], { lessons, index }: RuleContext): PrerequisiteCheck {
  const previous = lessons[index - 1]
  return previous ? checkLessons([previous], require) : { missing: null, passedAtMs: 0 }
}

function checkPreviousModule(
  require: PrerequisiteRule['require'],
  { lessons, index, checkedModules }: RuleContext,
): PrerequisiteCheck {
  const moduleId = lessons[index]?.moduleId
  const checked = checkedModules.get(`${moduleId} ${require}`)
  if (checked) return checked
  const firstIndex = firstIndexOfModule(lessons, index)
  const required = lessons
    .slice(firstIndex === 0 ? 0 : firstIndexOfModule(lessons, firstIndex - 1), firstIndex)
    .filter((lesson) => lesson.required)
  // For accepted homework only the lessons with tasks count, where there are any.
  const relevant = require === 'homeworkAccepted' ? required.filter((lesson) => lesson.taskCount > 0) : required
  const check = checkLessons(relevant.length > 0 ? relevant : required, require)
  checkedModules.set(`${moduleId} ${require}`, check)
  return check
}

/** Index of the first lesson of the module that holds the lesson. */
function firstIndexOfModule(lessons: readonly LessonFacts[], index: number): number {
  let firstIndex = index
  while (firstIndex > 0 && lessons[firstIndex - 1]?.moduleId === lessons[index]?.moduleId) firstIndex -= 1
  return firstIndex
}

function checkLessons(lessons: readonly LessonFacts[], require: PrerequisiteRule['require']): PrerequisiteCheck {
  const missing = lessons.find((lesson) => passedAt(lesson, require) === null) ?? null
  return { missing, passedAtMs: Math.max(0, ...lessons.map((lesson) => passedAt(lesson, require)?.getTime() ?? 0)) }
}

/** Lessons without homework or a test are passed by completing them. */
function passedAt(lesson: LessonFacts, require: PrerequisiteRule['require']): Date | null {
  if (require === 'opened') return lesson.openedAt
  if (require === 'homeworkAccepted' && lesson.taskCount > 0) return lesson.homeworkAcceptedAt
  if (require === 'testPassed') return lesson.testPassedAt ?? lesson.completedAt
  return lesson.completedAt
}

function openFrom(at: Date, now: Date): Access {
  return at <= now ? OPEN_ACCESS : denyAccess('opens_at', at)
}
