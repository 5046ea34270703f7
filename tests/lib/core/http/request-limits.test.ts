import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { limitBodySize } from '#lib/core/http/request-limits.ts'

const MEGABYTE = 1024 * 1024

function isAccepted(path: string, bytes: number): boolean {
  const request = new IncomingMessage(new Socket())
  request.method = 'POST'
  request.headers['content-length'] = String(bytes)
  return limitBodySize(request, path, () => {})
}

test.each(['/v1/file', '/students', '/course/edit/0192f0c1-0000-7000-8000-000000000001'])(
  '%s accepts a file',
  (path) => {
    expect(isAccepted(path, 11 * MEGABYTE)).toBe(true)
    expect(isAccepted(path, 11 * MEGABYTE + 1)).toBe(false)
  },
)

test.each(['/', '/login', '/student/0192f0c1', '/course/create', '/v1/files', '/v1/module/user/login'])(
  '%s accepts a form without a file',
  (path) => {
    expect(isAccepted(path, MEGABYTE)).toBe(true)
    expect(isAccepted(path, MEGABYTE + 1)).toBe(false)
  },
)
