import { expect, test } from 'vitest'
import { limitConnectionErrors } from '#lib/core/jobs/connection-log.ts'

test('an outage of the database is logged by the job queue once a minute, with the number of errors', () => {
  let now = 0
  const logged: unknown[] = []
  const report = limitConnectionErrors(
    (fields) => logged.push(fields),
    () => now,
  )
  for (; now < 120_000; now += 50) report(new Error('connect ENOENT'))
  expect(logged).toEqual([{ error: 'connect ENOENT' }, { error: 'connect ENOENT', unlogged: 1199 }])
  now += 60_000
  report(new Error('terminated'))
  expect(logged.at(-1)).toEqual({ error: 'terminated', unlogged: 1199 })
})
