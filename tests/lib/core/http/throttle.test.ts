import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { inSystem, pool } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import {
  clearAttempts,
  countAttempt,
  countDistinctAttempt,
  spendBudget,
  tooManyRefusal,
  uncountAttempt,
} from '#lib/core/http/throttle.ts'

const rule = { limit: 3, windowSeconds: 60 }

async function outcomes(key: string, times: number, given: Parameters<typeof countAttempt>[1] = rule): Promise<string> {
  const tries = Array.from({ length: times }, () =>
    countAttempt(key, given).then(
      () => '+',
      () => '-',
    ),
  )
  return (await Promise.all(tries)).sort().join('')
}

const later = (key: string, seconds: number) =>
  pool.query(
    `update throttle set window_ends_at = window_ends_at - $2 * interval '1 second',
     blocked_until = blocked_until - $2 * interval '1 second' where key = $1`,
    [key, seconds],
  )

describe('throttle', () => {
  test('allows exactly the limit of concurrent attempts', async () => {
    expect(await outcomes('a', 20)).toBe(`${'+'.repeat(3)}${'-'.repeat(17)}`)
  })

  test('returns the waiting time, and allows again after the window', async () => {
    await outcomes('b', 3)
    const refusal = await countAttempt('b', rule).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({
      code: 'too_many',
      status: 429,
      details: { retryAfterSeconds: 60, variables: { count: 60 } },
    })
    await later('b', 61)
    expect(await outcomes('b', 4)).toBe('+++-')
  })

  test('does not count inside a transaction, which would wait for a second connection', async () => {
    const counting = inSystem(() => countAttempt('c', rule))
    await expect(counting).rejects.toThrow('a transaction must not wait for a second connection of the pool')
    expect(await outcomes('c', 4)).toBe('+++-')
  })

  test('doubles the delay with further failures, and resets after a quiet window', async () => {
    const growing = { ...rule, maxWaitSeconds: 200 }
    expect(await outcomes('d', 5, growing)).toBe('+++--')
    for (const wait of [60, 120, 200, 200]) {
      const refusal = await countAttempt('d', growing).catch((error: Refusal) => error)
      expect(refusal).toMatchObject({ details: { retryAfterSeconds: wait } })
      await later('d', wait)
      await countAttempt('d', growing)
    }
    await later('d', 86_400)
    expect(await outcomes('d', 4, growing)).toBe('+++-')
  })

  test('counts a member of a set once, and allows exactly the limit of concurrent members', async () => {
    const members = Array.from({ length: 30 }, (_, n) => `m${n % 10}`)
    const tries = members.map((member) =>
      countDistinctAttempt('set', member, rule).then(
        () => member,
        () => null,
      ),
    )
    const passed = new Set((await Promise.all(tries)).filter((member) => member !== null))
    expect(passed.size).toBe(3)
    await expect(countDistinctAttempt('set', [...passed][0] ?? '', rule)).rejects.toThrow('too_many')
    await uncountAttempt('set', [...passed][0] ?? '', rule)
    await countDistinctAttempt('set', 'another', rule)
    await expect(countDistinctAttempt('set', 'one more', rule)).rejects.toThrow('too_many')
  })

  test('formats a wait in seconds, minutes and hours', () => {
    const worded = (seconds: number) => {
      const { message, variables } = tooManyRefusal(seconds).details
      return [message, variables?.count]
    }
    expect([0, 90, 91, 900, 7200].map(worded)).toEqual([
      ['too_many', 1],
      ['too_many', 90],
      ['too_many_minutes', 2],
      ['too_many_minutes', 15],
      ['too_many_hours', 2],
    ])
  })

  test('a budget is spent fully or partly, never beyond its limit, and is renewed with the next window', async () => {
    const day = { limit: 10, windowSeconds: 60 }
    const spent = await Promise.all(
      Array.from({ length: 8 }, () => inSystem((tx) => spendBudget(tx, 'budget', 3, day))),
    )
    expect(spent.map(({ granted }) => granted).sort()).toEqual([0, 0, 0, 0, 0, 3, 3, 3])
    expect(await inSystem((tx) => spendBudget(tx, 'budget', 5, { ...day, allowsPartial: true }))).toMatchObject({
      granted: 1,
      left: 0,
    })
    await later('budget', 61)
    const { granted, left, resetsAt } = await inSystem((tx) => spendBudget(tx, 'budget', 4, day))
    expect([granted, left]).toEqual([4, 6])
    expect(resetsAt.getTime() - Date.now()).toBeGreaterThan(55_000)
  })

  test('a budget is not spent by a rolled-back transaction', async () => {
    const action = inSystem(async (tx) => {
      await spendBudget(tx, 'undone', 10, { limit: 10, windowSeconds: 60 })
      throw new Error('no')
    })
    await expect(action).rejects.toThrow('no')
    const { granted } = await inSystem((tx) => spendBudget(tx, 'undone', 10, { limit: 10, windowSeconds: 60 }))
    expect(granted).toBe(10)
  })

  test('resets a key on request', async () => {
    await outcomes('e', 3)
    await clearAttempts('e')
    expect(await outcomes('e', 3)).toBe('+++')
  })

  test('deletes expired rows', async () => {
    await countAttempt('f', rule)
    await later('f', 2 * 86_400)
    const { rows } = await inSystem(async (tx) => {
      await tx.execute(sql`select sweep_throttle()`)
      return tx.execute(sql`select key from throttle where key = 'f'`)
    })
    expect(rows).toEqual([])
  })
})
