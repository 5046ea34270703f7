import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { inSystem } from '#lib/core/db/db.ts'
import { withoutQueryValues } from '#lib/core/log.ts'

test('a failed statement is logged without its parameters', async () => {
  const secret = 'Їхній-пароль\n    at other.ts'
  const failed = await inSystem((tx) => tx.execute(sql`select ${secret}::text, 1 / 0`)).catch((error: unknown) => error)
  expect(String(failed)).toContain(secret)
  const clean = withoutQueryValues(failed)
  if (!(clean instanceof Error)) throw new Error('an error stays one')
  const text = JSON.stringify([clean, clean.message, clean.stack, clean.cause, String(clean.cause)])
  expect(text).not.toContain('Їхній')
  expect(clean.message).toBe('Failed query: select $1::text, 1 / 0')
  expect(clean.stack).toMatch(/\n {4}at /)
  expect(clean.cause).toMatchObject({ message: 'division by zero' })
})

test('other errors and values are logged unchanged', () => {
  const error = new TypeError('not that', { cause: 'a reason' })
  expect(withoutQueryValues(error)).toMatchObject({ name: 'TypeError', message: 'not that', cause: 'a reason' })
  expect(withoutQueryValues('thrown')).toBe('thrown')
})
