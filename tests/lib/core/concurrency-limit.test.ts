import { expect, test } from 'vitest'
import { createConcurrencyLimit } from '#lib/core/concurrency-limit.ts'

/** A function that runs until `finish` is called. */
function pending() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let isStarted = false
  const run = () => {
    isStarted = true
    return promise
  }
  return { run, finish: resolve, fail: reject, isStarted: () => isStarted }
}

test('no more functions of a key run at a time than the limit, the others follow in order', async () => {
  const runLimited = createConcurrencyLimit({ limit: 2, maxWaiting: 10 })
  const tasks = Array.from({ length: 4 }, pending)
  const results = tasks.map(({ run }) => runLimited('a', run))
  const other = pending()
  const unrelated = runLimited('b', other.run)
  const started = () => tasks.map(({ isStarted }) => isStarted())
  expect(started()).toEqual([true, true, false, false])
  expect(other.isStarted()).toBe(true)
  tasks[1]?.finish('second')
  expect(await results[1]).toBe('second')
  expect(started()).toEqual([true, true, true, false])
  for (const { finish } of [...tasks, other]) finish('done')
  expect(await Promise.all([...results, unrelated])).toEqual(['done', 'second', 'done', 'done', 'done'])
})

test('a function that fails passes its place on', async () => {
  const runLimited = createConcurrencyLimit({ limit: 1, maxWaiting: 10 })
  const [first, second] = [pending(), pending()]
  const failed = runLimited('a', first.run)
  const next = runLimited('a', second.run)
  first.fail(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  second.finish('yes')
  expect(await next).toBe('yes')
  expect(await runLimited('a', async () => 'again')).toBe('again')
})

test('a function is refused when too many wait', async () => {
  const runLimited = createConcurrencyLimit({ limit: 1, maxWaiting: 1 })
  const [first, second] = [pending(), pending()]
  const results = [runLimited('a', first.run), runLimited('a', second.run)]
  await expect(runLimited('a', async () => 'third')).rejects.toMatchObject({ code: 'unavailable' })
  first.finish('1')
  second.finish('2')
  expect(await Promise.all(results)).toEqual(['1', '2'])
})
