import { addDays } from '#lib/core/shared/time-zone.ts'
import type { AccessRule } from '../schema.ts'

/*
 * Places in an outline, as lists of ids. Pure, so that the browser's picture and the school's rows are moved alike.
 */

/** The list with `ids` standing together before `beforeId`, or at the end when it is null or not (any more) in the list. */
export function moveTogether(list: readonly string[], ids: readonly string[], beforeId: string | null): string[] {
  const rest = list.filter((id) => !ids.includes(id))
  const index = beforeId === null ? -1 : rest.indexOf(beforeId)
  return index < 0 ? [...rest, ...ids] : rest.toSpliced(index, 0, ...ids)
}

/**
 * The list with `ids` put back to where they stood in `former`: each behind the nearest of its former predecessors that
 * is still there. Exact when nobody moved anything since; and whatever others have moved stays where they put it.
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

/** A rule some days later: its dates move, at the same time of day in the zone; what counts from elsewhere stays. */
export function shiftRule(rule: AccessRule, days: number, zone: string): AccessRule {
  if (rule.mode === 'date') return { mode: 'date', at: addDays(new Date(rule.at), days, zone).toISOString() }
  if (rule.mode !== 'all' && rule.mode !== 'any') return rule
  return { mode: rule.mode, rules: rule.rules.map((inner) => shiftRule(inner, days, zone)) }
}

/** The instants that a rule names. */
export function ruleDates(rule: AccessRule): Date[] {
  if (rule.mode === 'date') return [new Date(rule.at)]
  return 'rules' in rule ? rule.rules.flatMap(ruleDates) : []
}
