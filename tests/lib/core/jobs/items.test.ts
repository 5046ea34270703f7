import { expect, test } from 'vitest'
import { forEachItem, ItemsFailed } from '#lib/core/jobs/items.ts'

const task = { job: 'test.job', tenantId: '', items: ['a', 'bad', 'c'], idOf: (item: string) => item }

test('a failure does not end the others, and makes the job fail afterwards', async () => {
  const done: string[] = []
  const running = forEachItem(task, async (item) => {
    if (item === 'bad') throw new Error('no such row')
    done.push(item)
  })
  await expect(running).rejects.toThrow(ItemsFailed)
  await expect(running).rejects.toThrow('1 of 3 items failed. no such row')
  expect(done).toEqual(['a', 'c'])
})

test('a stored failure does not make the job fail, unless it cannot be stored', async () => {
  const stored: string[] = []
  const run = async (item: string) => {
    if (item === 'bad') throw new Error('no such row')
    return 2
  }
  const storeFailure = async (item: string) => stored.push(item)
  expect(await forEachItem({ ...task, storeFailure }, run)).toBe(4)
  expect(stored).toEqual(['bad'])
  const failing = () => Promise.reject(new Error('no database'))
  await expect(forEachItem({ ...task, storeFailure: failing }, run)).rejects.toThrow('no such row')
})

test('items that wait do not delay the others beyond the concurrency', async () => {
  const started: string[] = []
  const waiting = Promise.withResolvers<void>()
  const running = forEachItem({ ...task, concurrency: 2 }, async (item) => {
    started.push(item)
    if (item === 'a') await waiting.promise
    if (item === 'c') waiting.resolve()
  })
  expect(await running).toBe(3)
  expect(started).toEqual(['a', 'bad', 'c'])
})
