import { afterAll, describe, expect, test } from 'vitest'
import type { Refusal } from '#lib/core/http/refusal.ts'
import { closeWorkers, type TaskDefinition, workerTask } from '#lib/core/worker/pool.ts'
import type * as tasks from '../../../setup/worker-tasks.ts'

const FILE = 'tests/setup/worker-tasks.ts'
const TOO_COMPLEX = { code: 'unprocessable', details: { fields: { file: ['parse_too_complex'] } } }

function task<Name extends keyof typeof tasks>(name: Name, more: Partial<TaskDefinition> = {}) {
  return workerTask<(typeof tasks)[Name]>({ file: FILE, name, lane: 'request', limitMs: 20_000, ...more })
}

afterAll(() => closeWorkers())

describe('a task in a worker process', () => {
  test('returns its result', async () => {
    expect(await task('double')({ value: 21 })).toBe(42)
  })

  test('is ended at its time limit, and the next one runs', async () => {
    const refused = task('loopForever', { limitMs: 300 })(undefined as never)
    await expect(refused).rejects.toMatchObject(TOO_COMPLEX)
    expect(await task('double')({ value: 1 })).toBe(2)
  })

  test('does not block the process', async () => {
    let ticks = 0
    const ticking = setInterval(() => {
      ticks += 1
    }, 5)
    await expect(task('loopForever', { limitMs: 300 })(undefined as never)).rejects.toThrow()
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(3)
  })

  test('is refused above its memory or stack limit', async () => {
    await expect(task('fillMemory')(undefined as never)).rejects.toMatchObject(TOO_COMPLEX)
    await expect(task('fillText')(undefined as never)).rejects.toMatchObject(TOO_COMPLEX)
    await expect(task('recurse', { field: 'text' })(0)).rejects.toMatchObject({
      details: { fields: { text: ['parse_too_complex'] } },
    })
  })

  test('passes on refusals with their fields, and throws defects', async () => {
    await expect(task('refuse')(undefined as never)).rejects.toMatchObject({
      name: 'Refusal',
      status: 422,
      details: { fields: { file: ['import_empty'] }, variables: { path: 'a.html' } },
    } satisfies Partial<Refusal>)
    await expect(task('fail')(undefined as never)).rejects.toThrow('a defect of the parser')
  })

  test('has no secrets and no database', async () => {
    const names = await task('environment')(undefined as never)
    expect(names).not.toContain('SECRET_KEY')
    expect(names).not.toContain('DATABASE_URL')
  })

  test('is refused with a retry time when processes and queue are full', async () => {
    const ending = new AbortController()
    const running = Array.from({ length: 34 }, () => task('loopForever')(undefined as never, ending.signal))
    const ended = Promise.allSettled(running)
    await expect.poll(() => task('double')({ value: 1 }).catch((error: Refusal) => error.code)).toBe('too_many')
    ending.abort()
    expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
  })
})
