import type { HomeworkState } from '#lib/core/shared/learning.ts'
import { dayNumber, instantOn, laterBy } from '#lib/core/shared/zone.ts'
import type { AccessRule, FrozenInterval } from '../schema.ts'
import { type Access, best, closed, every, OPEN } from './access-reason.ts'

/** A lesson in the order of the outline, with what this student did in it. */
export interface LessonFacts {
  id: string
  moduleId: string
  title: string
  availability: AccessRule
  moduleAvailability: AccessRule
  required: boolean
  /** Tasks that must be handed in. */
  taskCount: number
  openedAt: Date | null
  completedAt: Date | null
  homeworkState: HomeworkState | null
  homeworkAcceptedAt: Date | null
  testPassedAt: Date | null
}

/** From where the rules of a lesson are looked at. */
export interface View {
  lessons: readonly LessonFacts[]
  index: number
  now: Date
  /** Null: the first opening, which has not come. */
  start: Date | null
  frozen: readonly FrozenInterval[]
  zone: string
  /** Calendar days by which the rules' days are moved. */
  shift: number
  /** What was found out about the module before each module, so that a walk over the outline stays one. */
  past: Map<string, Passed>
}

interface Passed {
  missing: LessonFacts | null
  doneAt: number
}

/** Whether all of some rules hold for the lesson at `view.index`. */
export function ruleAccess(rules: readonly AccessRule[], view: View): Access {
  return every(rules.map((rule) => oneRule(rule, view)))
}

function oneRule(rule: AccessRule, view: View): Access {
  switch (rule.mode) {
    case 'open':
      return OPEN
    case 'manual':
      return closed('by_school')
    case 'date':
      return from(laterBy(new Date(rule.at), view.shift, view.zone), view.now)
    case 'afterStart':
      return afterStart(rule, view)
    case 'afterPrevious':
      return afterPrevious(rule, view)
    case 'all':
      return ruleAccess(rule.rules, view)
    case 'any':
      return best(rule.rules.map((one) => oneRule(one, view)))
  }
}

function afterStart({ days, time, zone }: Extract<AccessRule, { mode: 'afterStart' }>, view: View): Access {
  let day = dayNumber(view.start ?? view.now, zone) + days + view.shift
  // A freeze stops the clock: what would have opened during it or later opens that many calendar days later.
  for (const freeze of view.frozen) {
    const since = new Date(Math.max(Date.parse(freeze.from), view.start?.getTime() ?? 0))
    if (freeze.to === null || since >= instantOn(day, time, zone)) break
    day += Math.max(0, dayNumber(new Date(freeze.to), zone) - dayNumber(since, zone))
  }
  const at = instantOn(day, time, zone)
  return view.start || at <= view.now ? from(at, view.now) : closed('first_opening')
}

type Previous = Omit<Extract<AccessRule, { mode: 'afterPrevious' }>, 'mode'>

function afterPrevious({ of, require, delayHours }: Previous, view: View): Access {
  const { missing, doneAt } = of === 'lesson' ? lessonBefore(require, view) : moduleBefore(require, view)
  if (missing) {
    return { allow: false, because: 'after_lesson', after: { lessonId: missing.id, title: missing.title, require } }
  }
  return delayHours ? from(new Date(doneAt + delayHours * 3_600_000), view.now) : OPEN
}

function lessonBefore(require: Previous['require'], { lessons, index }: View): Passed {
  const before = lessons[index - 1]
  return before ? passed([before], require) : { missing: null, doneAt: 0 }
}

function moduleBefore(require: Previous['require'], { lessons, index, past }: View): Passed {
  const here = lessons[index]?.moduleId
  const known = past.get(`${here} ${require}`)
  if (known) return known
  const first = beginOf(lessons, index)
  const required = lessons.slice(first === 0 ? 0 : beginOf(lessons, first - 1), first).filter((one) => one.required)
  // A module is passed by the homework of those of its lessons that have any.
  const asked = require === 'homeworkAccepted' ? required.filter((one) => one.taskCount > 0) : required
  const found = passed(asked.length > 0 ? asked : required, require)
  past.set(`${here} ${require}`, found)
  return found
}

/** Where the module of a lesson begins in the outline. */
function beginOf(lessons: readonly LessonFacts[], index: number): number {
  let first = index
  while (first > 0 && lessons[first - 1]?.moduleId === lessons[index]?.moduleId) first -= 1
  return first
}

function passed(asked: readonly LessonFacts[], require: Previous['require']): Passed {
  const missing = asked.find((one) => doneAt(one, require) === null) ?? null
  return { missing, doneAt: Math.max(0, ...asked.map((one) => doneAt(one, require)?.getTime() ?? 0)) }
}

/** Where there is no homework or test to pass, completing the lesson is what is left to ask. */
function doneAt(one: LessonFacts, require: Previous['require']): Date | null {
  if (require === 'opened') return one.openedAt
  if (require === 'homeworkAccepted' && one.taskCount > 0) return one.homeworkAcceptedAt
  if (require === 'testPassed') return one.testPassedAt ?? one.completedAt
  return one.completedAt
}

function from(at: Date, now: Date): Access {
  return at <= now ? OPEN : closed('opens_at', at)
}
