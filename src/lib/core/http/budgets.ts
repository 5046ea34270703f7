import { sql } from 'drizzle-orm'
import type { Tx } from '../db/db.ts'

/** A budget of which each item of a request spends one. */
export interface ItemBudget {
  /** Of the table of attempts: hash emails and addresses before. */
  key: string
  limit: number
}

/**
 * Spends one of several budgets for each item, in the surrounding transaction: an item is granted when all of its budgets
 * have one left, the first items first. Counts together with `countAttempt` under the same keys. The rows are locked in the
 * order of their keys, so that concurrent transactions do not deadlock. Returns whether each item is granted.
 */
export async function spendItemBudgets(
  tx: Tx,
  items: readonly (readonly ItemBudget[])[],
  windowSeconds: number,
): Promise<boolean[]> {
  const keys = [...new Set(items.flatMap((budgets) => budgets.map(({ key }) => key)))].sort()
  if (keys.length === 0) return items.map(() => true)
  const used = await lockCounts(tx, keys, windowSeconds)
  const limits = new Map(items.flat().map(({ key, limit }) => [key, limit]))
  const before = new Map(used)
  const granted = items.map((budgets) => {
    if (budgets.some(({ key, limit }) => (used.get(key) ?? limit) >= limit)) return false
    for (const { key } of budgets) used.set(key, (used.get(key) ?? 0) + 1)
    return true
  })
  const changed = keys
    .filter((key) => used.get(key) !== before.get(key))
    .map((key) => ({ key, count: used.get(key), isSpent: (used.get(key) ?? 0) >= (limits.get(key) ?? 0) }))
  if (changed.length > 0) {
    await tx.execute(sql`
      update throttle t set count = c.count,
        window_ends_at = case when t.window_ends_at <= now() then ${endOf(windowSeconds)} else t.window_ends_at end,
        blocked_until = case when c."isSpent"
          then case when t.window_ends_at <= now() then ${endOf(windowSeconds)} else t.window_ends_at end end
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c(key text, count int, "isSpent" boolean)
      where t.key = c.key`)
  }
  return granted
}

/** Counts of the current windows by key. */
async function lockCounts(tx: Tx, keys: readonly string[], windowSeconds: number): Promise<Map<string, number>> {
  const sorted = sql`unnest(${sql.param(keys)}::text[]) with ordinality as k(key, position)`
  await tx.execute(sql`
    insert into throttle (key, count, window_ends_at) select k.key, 0, ${endOf(windowSeconds)} from ${sorted}
    order by k.position on conflict (key) do nothing`)
  const { rows } = await tx.execute<{ key: string; used: number }>(sql`
    select t.key, case when t.window_ends_at <= now() then 0 else t.count end as used
    from throttle t where t.key = any(${sql.param(keys)}::text[]) order by t.key collate "C" for update`)
  return new Map(rows.map(({ key, used }) => [key, used]))
}

const endOf = (windowSeconds: number) => sql`now() + ${windowSeconds} * interval '1 second'`
