import { instantOf, localDay, localTime } from '#lib/core/shared/time-zone.ts'
import type { AccessRule } from '#lib/course/schema.ts'

export type RuleMode = AccessRule['mode']
export const RULE_MODES: readonly RuleMode[] = ['open', 'date', 'afterStart', 'afterPrevious', 'manual', 'all', 'any']
const DEFAULT_TIME = '09:00'

/** The initial rule of a mode; dates start tomorrow morning. */
export function createRule(mode: RuleMode, zone: string, now = new Date()): AccessRule {
  switch (mode) {
    case 'open':
    case 'manual':
      return { mode }
    case 'date':
      return { mode, at: instantOf(localDay(now, zone, 1), DEFAULT_TIME, zone).toISOString() }
    case 'afterStart':
      return { mode, days: 7, time: DEFAULT_TIME, zone }
    case 'afterPrevious':
      return { mode, of: 'lesson', require: 'completed' }
    case 'all':
    case 'any':
      return { mode, rules: [createRule('date', zone, now), createRule('afterPrevious', zone, now)] }
  }
}

/** Changes the mode of a rule; the conditions are kept between "all" and "any". */
export function changeMode(rule: AccessRule, mode: RuleMode, zone: string): AccessRule {
  if (rule.mode === mode) return rule
  if ((mode === 'all' || mode === 'any') && 'rules' in rule) return { mode, rules: rule.rules }
  return createRule(mode, zone)
}

/** An instant as a value of a `datetime-local` field in a time zone, and back; null while incomplete. */
export const toFieldValue = (at: string, zone: string): string =>
  `${localDay(new Date(at), zone)}T${localTime(new Date(at), zone)}`

export function parseFieldValue(field: string, zone: string): string | null {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(field) ?? []
  return day && time ? instantOf(day, time, zone).toISOString() : null
}
