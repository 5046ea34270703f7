import { laterBy } from '#lib/core/shared/zone.ts'
import type { AccessRule } from '../schema.ts'

/*
 * Places in an outline, as lists of ids. Pure, so that the browser's picture and the school's rows are moved alike.
 */

/** The list with `ids` standing together before `beforeId`, or at the end when it is null or not (any more) in the list. */
export function placed(list: readonly string[], ids: readonly string[], beforeId: string | null): string[] {
  const rest = list.filter((id) => !ids.includes(id))
  const at = beforeId === null ? -1 : rest.indexOf(beforeId)
  return at < 0 ? [...rest, ...ids] : rest.toSpliced(at, 0, ...ids)
}

/**
 * The list with `ids` put back to where they stood in `former`: each behind the nearest of its former predecessors that
 * is still there. Exact when nobody moved anything since; and whatever others have moved stays where they put it.
 */
export function putBack(list: readonly string[], ids: ReadonlySet<string>, former: readonly string[]): string[] {
  const now = list.filter((id) => !ids.has(id))
  former.forEach((id, at) => {
    if (!ids.has(id)) return
    const before = former.slice(0, at).findLast((one) => now.includes(one))
    now.splice(before === undefined ? 0 : now.indexOf(before) + 1, 0, id)
  })
  return now
}

/** A rule some days later: its dates move, at the same time of day in the zone; what counts from elsewhere stays. */
export function shifted(rule: AccessRule, days: number, zone: string): AccessRule {
  if (rule.mode === 'date') return { mode: 'date', at: laterBy(new Date(rule.at), days, zone).toISOString() }
  if (rule.mode !== 'all' && rule.mode !== 'any') return rule
  return { mode: rule.mode, rules: rule.rules.map((one) => shifted(one, days, zone)) }
}

/** The instants that a rule names. */
export function datesOf(rule: AccessRule): Date[] {
  if (rule.mode === 'date') return [new Date(rule.at)]
  return 'rules' in rule ? rule.rules.flatMap(datesOf) : []
}
