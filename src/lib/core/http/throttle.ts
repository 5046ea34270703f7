import { sql } from 'drizzle-orm'
import { pool, query, type Tx } from '../db/db.ts'
import { watched } from '../db/watch.ts'
import { Refusal, type RefusalDetails } from './refusal.ts'

export interface ThrottleRule {
  /** Attempts that a window allows. */
  limit: number
  windowSeconds: number
  /**
   * After the limit one attempt more in a minute, then in two, in four, at most in so many seconds; the window begins
   * anew with each attempt. Without it there is none until the window ends.
   */
  longestWaitSeconds?: number
}

/**
 * Counts an attempt under a key (hash e-mails and addresses before). On a connection of its own, so that the count
 * stands when the caller's transaction is rolled back; call it before opening one. Holds for all processes.
 * Refuses with `too_many`: `retryAfterSeconds`, and `details` as given.
 */
export async function attempt(key: string, rule: ThrottleRule, details?: RefusalDetails): Promise<void> {
  if (!(await watched(() => isCounted(pool, key, rule)))) throw tooMany(await secondsLeft(key), details)
}

/**
 * Counts a member of a set under a key, once in a window: e.g. accounts that a network tries. Refuses as `attempt`, every
 * member while the key is blocked.
 */
export async function attemptDistinct(
  key: string,
  member: string,
  rule: ThrottleRule,
  details?: RefusalDetails,
): Promise<void> {
  const { isFirst, passes } = await watched(() => addMember(key, member, rule))
  if (isFirst && passes) return
  const seconds = await secondsLeft(key)
  if (isFirst || seconds > 0) throw tooMany(seconds, details)
}

// One transaction: a refused member is not in the set, and the same member twice at once waits for itself.
async function addMember(key: string, member: string, rule: ThrottleRule) {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('begin')
    const first = await client.query(FIRST, [memberKey(key, member), rule.windowSeconds])
    const isFirst = Boolean(first.rowCount)
    const passes = !isFirst || (await isCounted(client, key, rule))
    await client.query(passes ? 'commit' : 'rollback')
    return { isFirst, passes }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A connection that failed is closed, and its transaction with it.
    client.release(failure)
  }
}

async function isCounted(on: Pick<typeof pool, 'query'>, key: string, rule: ThrottleRule): Promise<boolean> {
  const { limit, windowSeconds, longestWaitSeconds } = rule
  const counted =
    longestWaitSeconds === undefined
      ? await on.query(STEADY, [key, windowSeconds, limit])
      : await on.query(GROWING, [key, windowSeconds, limit, longestWaitSeconds])
  return Boolean(counted.rowCount)
}

/** Takes a member out of the set again, e.g. after the right password. */
export async function forgetMember(key: string, member: string, { limit }: ThrottleRule): Promise<void> {
  await query(FORGET, [key, memberKey(key, member), limit])
}

/** Refuses like `attempt` while a key is blocked, and counts nothing: where only failures are counted. */
export async function refuseBlocked(key: string, details?: RefusalDetails): Promise<void> {
  const seconds = await secondsLeft(key)
  if (seconds > 0) throw tooMany(seconds, details)
}

/** Forgets the attempts under a key, e.g. after the right password. */
export async function clear(key: string): Promise<void> {
  await query('delete from throttle where key = $1', [key])
}

export interface Budget {
  /** How many of the wanted amount were granted: all or, with `partly`, what is left. */
  granted: number
  left: number
  resetsAt: Date
}

/**
 * Spends an amount of a budget in the surrounding transaction: rolled back with it, and whoever spends of the same budget
 * waits until it ends. A window begins with the first spending. Grants nothing when less than the amount is left, or
 * with `partly` what is left.
 */
export async function spend(
  tx: Tx,
  key: string,
  amount: number,
  { limit, windowSeconds, partly = false }: { limit: number; windowSeconds: number; partly?: boolean },
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
  const granted = amount <= left ? amount : partly ? left : 0
  await tx.execute(sql`
    update throttle set count = ${used + granted}, window_ends_at = ${resets}::timestamptz where key = ${key}`)
  return { granted, left: left - granted, resetsAt: new Date(resets) }
}

/** The refusal for somebody who has to wait; the words count in seconds, minutes or hours. */
export function tooMany(seconds: number, details: RefusalDetails = {}): Refusal {
  const wait = Math.max(1, seconds)
  const variables = { seconds: wait, ...details.variables }
  const worded =
    wait <= 90
      ? { message: 'too_many', variables: { count: wait, ...variables } }
      : wait <= 5400
        ? { message: 'too_many_minutes', variables: { count: Math.ceil(wait / 60), ...variables } }
        : { message: 'too_many_hours', variables: { count: Math.ceil(wait / 3600), ...variables } }
  return new Refusal('too_many', { ...details, ...worded, retryAfterSeconds: wait })
}

async function secondsLeft(key: string): Promise<number> {
  const { rows } = await query<{ seconds: number }>(LEFT, [key])
  return rows[0]?.seconds ?? 0
}

const memberKey = (key: string, member: string): string => `${key}/${member}`

const LEFT = `select greatest(0, ceil(extract(epoch from blocked_until - now())))::int as seconds
  from throttle where key = $1 and blocked_until > now()`

const FIRST = `insert into throttle as t (key, count, window_ends_at) values ($1, 1, now() + $2 * interval '1 second')
  on conflict (key) do update set window_ends_at = excluded.window_ends_at where t.window_ends_at <= now()`

const FORGET = `with forgotten as (delete from throttle where key = $2 returning key)
  update throttle set count = count - 1, blocked_until = case when count - 1 >= $3::int then blocked_until end
  where key = $1 and count > 0 and exists (select 1 from forgotten)`

const STEADY = statement({
  window: `case when t.window_ends_at <= now() then now() + $2 * interval '1 second' else t.window_ends_at end`,
  blocked: 'greatest(t.window_ends_at, now())',
})

const WAIT = `least($4::int, 60 * power(2, least(t.count + 1 - $3::int, 11))) * interval '1 second'`
const GROWING = statement({ window: `now() + ${WAIT} + $2 * interval '1 second'`, blocked: `now() + ${WAIT}` })

// One statement, so that concurrent attempts can't pass on the same count. A blocked key changes no row.
function statement({ window, blocked }: { window: string; blocked: string }): string {
  const count = 'case when t.window_ends_at <= now() then 1 else t.count + 1 end'
  const first = `case when $3::int <= 1 then now() + $2 * interval '1 second' end`
  return `insert into throttle as t (key, count, window_ends_at, blocked_until)
    values ($1, 1, now() + $2 * interval '1 second', ${first})
    on conflict (key) do update set count = ${count}, window_ends_at = ${window},
      blocked_until = case when ${count} >= $3::int and t.window_ends_at > now() then ${blocked} end
    where t.blocked_until is null or t.blocked_until <= now()`
}
