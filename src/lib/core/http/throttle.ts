import { pool } from '../db/db.ts'
import { Refusal } from './refusal.ts'

export interface ThrottleRule {
  /** Attempts that a window allows. */
  limit: number
  windowSeconds: number
  /** After the limit one attempt more a minute, then in two, in four, up to a day; else none until the window ends. */
  growing?: boolean
}

/**
 * Counts an attempt under a key (hash e-mails and addresses before). On a connection of its own, so that the count
 * stands when the caller's transaction is rolled back; call it before opening one. Holds for all processes.
 * Refuses with `too_many`: `retryAfterSeconds`, and `count` for the words.
 */
export async function attempt(key: string, { limit, windowSeconds, growing = false }: ThrottleRule): Promise<void> {
  const counted = await pool.query(growing ? GROWING : STEADY, [key, windowSeconds, limit])
  if (counted.rowCount) return
  const { rows } = await pool.query<{ seconds: number }>(LEFT, [key])
  const seconds = Math.max(1, rows[0]?.seconds ?? 1)
  throw new Refusal('too_many', { variables: { seconds, count: seconds }, retryAfterSeconds: seconds })
}

/** Forgets the attempts under a key, e.g. after the right password. */
export async function clear(key: string): Promise<void> {
  await pool.query('delete from throttle where key = $1', [key])
}

const LEFT = 'select ceil(extract(epoch from blocked_until - now()))::int as seconds from throttle where key = $1'

const STEADY = statement({
  window: `case when t.window_ends_at <= now() then now() + $2 * interval '1 second' else t.window_ends_at end`,
  blocked: 'greatest(t.window_ends_at, now())',
})

const WAIT = `least(86400, 60 * power(2, least(t.count + 1 - $3::int, 11))) * interval '1 second'`
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
