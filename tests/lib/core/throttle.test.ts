import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { inSystem, pool } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { attempt, clear } from '#lib/core/http/throttle.ts'

const rule = { limit: 3, windowSeconds: 60 }

async function outcomes(key: string, times: number, given: Parameters<typeof attempt>[1] = rule): Promise<string> {
  const tries = Array.from({ length: times }, () =>
    attempt(key, given).then(
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
  test('lets exactly the limit through when many try at once', async () => {
    expect(await outcomes('a', 20)).toBe(`${'+'.repeat(3)}${'-'.repeat(17)}`)
  })

  test('says how long to wait, and lets through again after the window', async () => {
    await outcomes('b', 3)
    const refusal = await attempt('b', rule).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({
      code: 'too_many',
      status: 429,
      details: { retryAfterSeconds: 60, variables: { count: 60 } },
    })
    await later('b', 61)
    expect(await outcomes('b', 4)).toBe('+++-')
  })

  test('counts although the transaction of the caller is rolled back', async () => {
    for (const _ of [1, 2, 3]) {
      const act = inSystem(async () => {
        await attempt('c', rule)
        throw new Error('wrong password')
      })
      await expect(act).rejects.toThrow('wrong password')
    }
    await expect(attempt('c', rule)).rejects.toThrow('too_many')
  })

  test('doubles the wait while wrong attempts go on, and forgets all after a quiet window', async () => {
    const growing = { ...rule, growing: true }
    expect(await outcomes('d', 5, growing)).toBe('+++--')
    for (const wait of [60, 120, 240]) {
      const refusal = await attempt('d', growing).catch((error: Refusal) => error)
      expect(refusal).toMatchObject({ details: { retryAfterSeconds: wait } })
      await later('d', wait)
      await attempt('d', growing)
    }
    await later('d', 86_400)
    expect(await outcomes('d', 4, growing)).toBe('+++-')
  })

  test('forgets a key on request', async () => {
    await outcomes('e', 3)
    await clear('e')
    expect(await outcomes('e', 3)).toBe('+++')
  })

  test('is swept when it is long over', async () => {
    await attempt('f', rule)
    await later('f', 2 * 86_400)
    const { rows } = await inSystem(async (tx) => {
      await tx.execute(sql`select sweep_throttle()`)
      return tx.execute(sql`select key from throttle where key = 'f'`)
    })
    expect(rows).toEqual([])
  })
})
