import { describe, expect, test } from 'vitest'
import { createBatcher } from '#lib/core/batch.ts'
import { Refusal } from '#lib/core/http/refusal.ts'

interface Gate {
  passed: Promise<void>
  open(): void
}
function gate(): Gate {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

describe('batching', () => {
  test('collects calls during a run, key by key and in order', async () => {
    const first = gate()
    const runs: [string, number[]][] = []
    const double = createBatcher<number, number>(
      async (key, items) => {
        runs.push([key, items])
        if (items[0] === 1) await first.passed
        return items.map((item) => item * 2)
      },
      { maxSize: 3 },
    )
    const calls = [1, 2, 3, 4, 5].map((item) => double('one', item))
    expect(await double('other', 10)).toBe(20)
    first.open()
    expect(await Promise.all(calls)).toEqual([2, 4, 6, 8, 10])
    expect(runs).toEqual([
      ['one', [1]],
      ['other', [10]],
      ['one', [2, 3, 4]],
      ['one', [5]],
    ])
    expect(await double('one', 6)).toBe(12)
  })

  test('rejects only the failing item', async () => {
    const first = gate()
    const check = createBatcher<number, number>(async (_, items) => {
      if (items.includes(0)) await first.passed
      if (items.includes(13)) throw new Refusal('conflict')
      return items
    })
    const calls = [0, 12, 13, 14].map((item) => check('one', item))
    first.open()
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[2]).toMatchObject({ reason: { code: 'conflict' } })
  })

  test('treats a database failure as a failure of the whole run, and continues', async () => {
    const first = gate()
    let runs = 0
    const read = createBatcher<number, number>(async (_, items) => {
      runs += 1
      if (items.includes(0)) await first.passed
      else if (runs === 2) throw Object.assign(new Error('down'), { cause: { code: '57014' } })
      return items
    })
    const calls = [0, 1, 2, 3].map((item) => read('one', item))
    first.open()
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
    expect([runs, await read('one', 4)]).toEqual([2, 4])
  })

  test('tries no item alone once the database fails', async () => {
    const first = gate()
    let runs = 0
    const write = createBatcher<number, number>(async (_, items) => {
      runs += 1
      if (items.includes(0)) await first.passed
      else if (items.length > 1) throw new Refusal('conflict')
      else if (items.includes(2)) throw Object.assign(new Error('down'), { cause: { code: '57P01' } })
      return items
    })
    const pending = [0, 1, 2, 3, 4].map((item) => write('one', item))
    first.open()
    const outcomes = await Promise.allSettled(pending)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'])
    // 0, then 1 to 4 together, then 1 and 2 separately.
    expect(runs).toBe(4)
  })

  test('rejects an item with its refusal, without another run', async () => {
    let runs = 0
    const check = createBatcher<number, number>(
      async (_, items) => {
        runs += 1
        return items.map((item) => (item === 13 ? new Refusal('conflict') : item))
      },
      { windowMs: 20 },
    )
    const outcomes = await Promise.allSettled([12, 13, 14].map((item) => check('one', item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(runs).toBe(1)
  })

  test('collects the items of a time window in one run', async () => {
    const runs: number[][] = []
    const read = createBatcher<number, number>(
      async (_, items) => {
        runs.push(items)
        return items
      },
      { windowMs: 50 },
    )
    const early = read('one', 1)
    await new Promise((resolve) => setTimeout(resolve, 10))
    await Promise.all([early, read('one', 2)])
    expect(runs).toEqual([[1, 2]])
  })

  test('returns a result for each item, or none', async () => {
    const lossy = createBatcher<number, number>(async () => [])
    await expect(lossy('one', 1)).rejects.toThrow('1 items and 0 results')
  })
})
