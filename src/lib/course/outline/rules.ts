import { addDays } from '#lib/core/shared/time-zone.ts'
import type { AccessRule } from '../schema.ts'

/* Order of an outline as lists of ids. Pure, so that browser and server move items alike. */

/** The list with `ids` placed together before `beforeId`, or at the end when it is null or not in the list. */
export function moveTogether(list: readonly string[], ids: readonly string[], beforeId: string | null): string[] {
  const rest = list.filter((id) => !ids.includes(id))
  const index = beforeId === null ? -1 : rest.indexOf(beforeId)
  return index < 0 ? [...rest, ...ids] : rest.toSpliced(index, 0, ...ids)
}

/**
 * The list with `ids` restored to their positions in `former`: each after the nearest former predecessor that remains.
 * Exact when nothing else was moved; items moved by others stay.
 */
export function restorePositions(
  list: readonly string[],
  ids: ReadonlySet<string>,
  former: readonly string[],
): string[] {
  const result = list.filter((id) => !ids.has(id))
  former.forEach((id, index) => {
    if (!ids.has(id)) return
    const predecessor = former.slice(0, index).findLast((candidate) => result.includes(candidate))
    result.splice(predecessor === undefined ? 0 : result.indexOf(predecessor) + 1, 0, id)
  })
  return result
}

/** Moves the dates of a rule by days, at the same local time in the zone; relative rules stay. */
export function shiftRule(rule: AccessRule, days: number, zone: string): AccessRule {
  if (rule.mode === 'date') return { mode: 'date', at: addDays(new Date(rule.at), days, zone).toISOString() }
  if (rule.mode !== 'all' && rule.mode !== 'any') return rule
  return { mode: rule.mode, rules: rule.rules.map((inner) => shiftRule(inner, days, zone)) }
}

/** The dates that a rule contains. */
export function ruleDates(rule: AccessRule): Date[] {
  if (rule.mode === 'date') return [new Date(rule.at)]
  return 'rules' in rule ? rule.rules.flatMap(ruleDates) : []
}
