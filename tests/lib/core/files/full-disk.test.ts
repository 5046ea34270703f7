import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DrizzleQueryError } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { createDiskStore } from '#lib/core/files/disk/disk.ts'
import { findDiskOutage } from '#lib/core/files/disk-space.ts'
import { partEndpoint } from '#lib/core/files/part-endpoint.ts'
import { sessionDigest } from '#lib/core/files/url-token.ts'
import { fullDiskRefusal } from '#lib/core/http/error-response.ts'
import { startEndpointServer, TOKEN } from '../../../setup/meeting/endpoint-server.ts'

// The system refuses every write to this device with ENOSPC.
const FULL = '/dev/full'
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-full-'))
afterAll(() => fs.rmSync(directory, { recursive: true }))

test('a part is refused with 507 on a full disk, and accepted when there is space again', async () => {
  const tenantId = newId()
  const store = createDiskStore(directory)
  const endpoint = await startEndpointServer({ '/v1/part/': partEndpoint(directory, async () => true) })
  const key = `${tenantId}/${newId()}`
  const uploadId = await store.startParts(key)
  const url = await store.signPart(key, {
    uploadId,
    number: 1,
    holder: sessionDigest(TOKEN),
    ttlSeconds: 60,
    size: 1000,
  })
  const bytesFile = path.join(directory, '.uploads', tenantId, uploadId, 'bytes')
  fs.rmSync(bytesFile)
  fs.symlinkSync(FULL, bytesFile)
  expect((await endpoint.put(url, randomBytes(1000))).status).toBe(507)
  expect(await store.listParts(key, uploadId)).toEqual([])
  fs.rmSync(bytesFile)
  fs.writeFileSync(bytesFile, '')
  expect((await endpoint.put(url, randomBytes(1000))).status).toBe(200)
  await endpoint.httpServer.drain(50)
})

test('the check of the disk reports a full disk and other failures, and nothing when files can be written', async () => {
  expect(await findDiskOutage(directory)).toBeNull()
  fs.symlinkSync(FULL, path.join(directory, `.ready-${process.pid}`))
  expect(await findDiskOutage(directory)).toBe('disk_full')
  expect(await findDiskOutage(directory)).toBeNull()
  expect(fs.readdirSync(directory).filter((name) => name.startsWith('.ready'))).toEqual([])
  expect(await findDiskOutage(path.join(directory, 'absent'))).toBe('disk')
})

test.each([
  ['ENOSPC', 'disk_full', 507],
  ['EDQUOT', 'disk_full', 507],
  ['53100', 'unavailable', 503],
])('an error %s of a file or a statement is refused with %s', (code, refused, status) => {
  const error = new DrizzleQueryError('insert', [], Object.assign(new Error('no space'), { code }))
  expect(fullDiskRefusal(error)).toMatchObject({ code: refused, status })
  expect(fullDiskRefusal(new Error('other'))).toBeNull()
})

test('a log file on a full disk makes no call of the log fail', () => {
  const program = `import { log } from ${JSON.stringify(path.resolve('src/lib/core/log.ts'))}
    for (let line = 0; line < 50; line++) log.error({ line }, 'x'.repeat(100))
    process.stderr.write('done')`
  const output = fs.openSync(FULL, 'w')
  const env = { ...process.env, LOG_LEVEL: 'info' }
  expect(() =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, stdio: ['ignore', output, 'pipe'] }),
  ).not.toThrow()
  fs.closeSync(output)
})
