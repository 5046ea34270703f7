import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { reasonOf } from '../../scripts/reason.ts'
import { databaseUrl } from '../setup/servers/cluster.ts'

async function failureOf(statement: string, values: unknown[] = []): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl(inject('cluster').socketDir, 'kafedra') })
  await client.connect()
  try {
    return await client.query(statement, values).catch((error: unknown) => error)
  } finally {
    await client.end()
  }
}

test('prints what PostgreSQL says with its code, detail and hint, together with the statement of the query', async () => {
  const cause = await failureOf(
    `do $$ begin raise exception 'no rights' using errcode = '42501', detail = 'Owner: x.', hint = 'Grant it.'; end $$`,
  )
  const failed = new DrizzleQueryError('create table t ()', [], cause as Error)
  expect(reasonOf(failed)).toBe('Failed query: create table t ()\n  no rights (42501) Owner: x. Grant it.')
})

test('prints no parameters, which may be personal data, and shortens a long statement', () => {
  const printed = reasonOf(
    new DrizzleQueryError(`select '${'x'.repeat(5000)}'`, ['olena@kafedra.test'], new Error('no')),
  )
  expect(printed).not.toContain('olena')
  expect(printed.length).toBeLessThan(2100)
  expect(printed).toMatch(/…\n {2}no$/)
})

test('prints each message once, follows a chain of causes that never ends to its fifth, and takes any value', () => {
  const repeated = new Error('same', { cause: new Error('same', { cause: new Error('deeper') }) })
  expect(reasonOf(repeated)).toBe('same\n  deeper')
  const circle = new Error('round')
  circle.cause = circle
  expect(reasonOf(circle)).toBe('round')
  expect(reasonOf('only words')).toBe('only words')
  // An error of several addresses has a code and no message.
  expect(reasonOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED')
})
