import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#lib/core/http/refusal.ts'
import { isServiceUnavailable, ServiceUnavailable } from '#lib/core/service-unavailable.ts'

const failed = (facts: object, message = 'failed') => Object.assign(new Error(message), facts)

describe('errors that mean the database or the object store is unavailable', () => {
  test.each([
    ['a refused connection', failed({ code: 'ECONNREFUSED' })],
    ['no socket of the embedded server', failed({ code: 'ENOENT', syscall: 'connect' })],
    ['a server that shuts down', failed({ code: '57P01' })],
    ['a server that starts', failed({ code: '57P03' })],
    ['too many connections', failed({ code: '53300' })],
    ['a cut connection', new Error('Connection terminated unexpectedly')],
    ['a full pool', new Error('timeout exceeded when trying to connect')],
    ['a failed statement of a lost connection', new DrizzleQueryError('select 1', [], failed({ code: 'ECONNRESET' }))],
    ['a bucket that answers 503', failed({ $metadata: { httpStatusCode: 503 } })],
    ['a bucket that does not answer', failed({ name: 'TimeoutError' })],
    ['our own word', new Error('wrapped', { cause: new ServiceUnavailable('gone') })],
  ])('%s', (_what, error) => expect(isServiceUnavailable(error)).toBe(true))

  test.each([
    ['a refusal', new Refusal('not_found')],
    ['a missing file', failed({ code: 'ENOENT', syscall: 'open' })],
    ['a broken constraint', failed({ code: '23505' })],
    ['a slow statement that the server ended', failed({ code: '57014' })],
    ['a missing object', failed({ name: 'NoSuchKey', $metadata: { httpStatusCode: 404 } })],
    ['no error at all', 'ECONNREFUSED'],
  ])('not %s', (_what, error) => expect(isServiceUnavailable(error)).toBe(false))
})
