import { sql } from 'drizzle-orm'
import { pool, query, requireNoTransaction, type Tx } from '../db/db.ts'
import { watchDatabase } from '../db/watch.ts'
import { HOUR_SECONDS } from '../shared/time.ts'
import { Refusal, type RefusalDetails } from './refusal.ts'

export interface ThrottleRule {
  /** Staff are linked to their tenant's host; a student's tenants share `go`, so the choice is posted. */
  limit: number
  windowSeconds: number
  /**
   * Exponential waiting after the limit: one more attempt after one minute, then after two, four and so on, at most after
   * this time; each attempt restarts the window. Without it no attempt is allowed until the window ends.
   */
  maxWaitSeconds?: number
}

/**
 * Counts an attempt under a key (hash e-mails and addresses before). On a separate connection, so that the count is
 * kept when the caller's transaction is rolled back; throws inside a transaction. Applies to all processes. Refuses
 * with `too_many`: `retryAfterSeconds`, and `details` as given.
 */
export async function countAttempt(key: string, rule: ThrottleRule, details?: RefusalDetails): Promise<void> {
  requireNoTransaction()
  if (!(await watchDatabase(() => tryCount(pool, key, rule)))) throw tooManyRefusal(await secondsLeft(key), details)
}

/**
 * Counts a distinct value under a key, once per window, e.g. the accounts that a network tries. Refuses as
 * `countAttempt`; while the key is blocked every value is refused.
 */
export async function countDistinctAttempt(
  key: string,
  member: string,
  rule: ThrottleRule,
  details?: RefusalDetails,
): Promise<void> {
  requireNoTransaction()
  const { isFirst, isAllowed } = await watchDatabase(() => addMember(key, member, rule))
  if (isFirst && isAllowed) return
  const seconds = await secondsLeft(key)
  if (isFirst || seconds > 0) throw tooManyRefusal(seconds, details)
}

// One transaction: a refused value is not added, and concurrent attempts with the same value wait for each other.
async function addMember(key: string, member: string, rule: ThrottleRule) {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('begin')
    const first = await client.query(ADD_MEMBER, [memberKey(key, member), rule.windowSeconds])
    const isFirst = Boolean(first.rowCount)
    const isAllowed = !isFirst || (await tryCount(client, key, rule))
    await client.query(isAllowed ? 'commit' : 'rollback')
    return { isFirst, isAllowed }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A connection that failed is closed, and its transaction with it.
    client.release(failure)
  }
}

async function tryCount(database: Pick<typeof pool, 'query'>, key: string, rule: ThrottleRule): Promise<boolean> {
  const { limit, windowSeconds, maxWaitSeconds } = rule
  const counted =
    maxWaitSeconds === undefined
      ? await database.query(COUNT_FIXED, [key, windowSeconds, limit])
      : await database.query(COUNT_GROWING, [key, windowSeconds, limit, maxWaitSeconds])
  return Boolean(counted.rowCount)
}

/** Removes a counted value, e.g. after a correct password. */
export async function uncountAttempt(key: string, member: string, { limit }: ThrottleRule): Promise<void> {
  await query(REMOVE_MEMBER, [key, memberKey(key, member), limit])
}

/** Deletes the count of a key, e.g. after a correct password. */
export async function clearAttempts(key: string): Promise<void> {
  await query('delete from throttle where key = $1', [key])
}

export interface Budget {
  /** The granted part of the requested amount: all of it or, with `allowsPartial`, as much as is left. */
  granted: number
  left: number
  resetsAt: Date
}

/**
 * Spends an amount of a budget in the surrounding transaction; concurrent transactions wait for it. A window starts
 * with the first amount. Grants nothing when less than the amount is left, or with `allowsPartial` as much as is left.
 */
export async function spendBudget(
  tx: Tx,
  key: string,
  amount: number,
  { limit, windowSeconds, allowsPartial = false }: { limit: number; windowSeconds: number; allowsPartial?: boolean },
): Promise<Budget> {
  await tx.execute(sql`
    insert into throttle (key, count, window_ends_at) values (${key}, 0, now() + ${windowSeconds} * interval '1 second')
    on conflict (key) do nothing`)
  const { rows } = await tx.execute<{ used: number; resets: string }>(sql`
    select case when window_ends_at <= now() then 0 else count end as used,
      (case when window_ends_at <= now() then now() + ${windowSeconds} * interval '1 second' else window_ends_at end)::text as resets
    from throttle where key = ${key} for update`)
  const { used = 0, resets = '' } = rows[0] ?? {}
  const left = Math.max(0, limit - used)
  const granted = amount <= left ? amount : allowsPartial ? left : 0
  await tx.execute(sql`
    update throttle set count = ${used + granted}, window_ends_at = ${resets}::timestamptz where key = ${key}`)
  return { granted, left: left - granted, resetsAt: new Date(resets) }
}

/** The refusal with a waiting time; the message states it in seconds, minutes or hours. */
export function tooManyRefusal(seconds: number, details: RefusalDetails = {}): Refusal {
  const waitSeconds = Math.max(1, seconds)
  const variables = { seconds: waitSeconds, ...details.variables }
  const message =
    waitSeconds <= 90
      ? { message: 'too_many', variables: { count: waitSeconds, ...variables } }
      : waitSeconds <= 5400
        ? { message: 'too_many_minutes', variables: { count: Math.ceil(waitSeconds / 60), ...variables } }
        : { message: 'too_many_hours', variables: { count: Math.ceil(waitSeconds / HOUR_SECONDS), ...variables } }
  return new Refusal('too_many', { ...details, ...message, retryAfterSeconds: waitSeconds })
}

async function secondsLeft(key: string): Promise<number> {
  const { rows } = await query<{ seconds: number }>(SECONDS_LEFT, [key])
  return rows[0]?.seconds ?? 0
}

const memberKey = (key: string, member: string): string => `${key}/${member}`

const SECONDS_LEFT = `select greatest(0, ceil(extract(epoch from blocked_until - now())))::int as seconds
  from throttle where key = $1 and blocked_until > now()`

const ADD_MEMBER = `insert into throttle as t (key, count, window_ends_at) values ($1, 1, now() + $2 * interval '1 second')
  on conflict (key) do update set window_ends_at = excluded.window_ends_at where t.window_ends_at <= now()`

const REMOVE_MEMBER = `with forgotten as (delete from throttle where key = $2 returning key)
  update throttle set count = count - 1, blocked_until = case when count - 1 >= $3::int then blocked_until end
  where key = $1 and count > 0 and exists (select 1 from forgotten)`

const COUNT_FIXED = countStatement({
  window: `case when t.window_ends_at <= now() then now() + $2 * interval '1 second' else t.window_ends_at end`,
  blocked: 'greatest(t.window_ends_at, now())',
})

const WAIT = `least($4::int, 60 * power(2, least(t.count + 1 - $3::int, 11))) * interval '1 second'`
const COUNT_GROWING = countStatement({
  window: `now() + ${WAIT} + $2 * interval '1 second'`,
  blocked: `now() + ${WAIT}`,
})

// One statement, so that concurrent attempts cannot all pass with the same count. A blocked key changes no row.
function countStatement({ window, blocked }: { window: string; blocked: string }): string {
  const count = 'case when t.window_ends_at <= now() then 1 else t.count + 1 end'
  const first = `case when $3::int <= 1 then now() + $2 * interval '1 second' end`
  return `insert into throttle as t (key, count, window_ends_at, blocked_until)
    values ($1, 1, now() + $2 * interval '1 second', ${first})
    on conflict (key) do update set count = ${count}, window_ends_at = ${window},
      blocked_until = case when ${count} >= $3::int and t.window_ends_at > now() then ${blocked} end
    where t.blocked_until is null or t.blocked_until <= now()`
}
