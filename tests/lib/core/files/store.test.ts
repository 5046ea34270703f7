import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { createDiskStore } from '#lib/core/files/disk/disk.ts'
import { partEndpoint } from '#lib/core/files/part-endpoint.ts'
import { createS3Store } from '#lib/core/files/s3/s3.ts'
import type { ObjectStore } from '#lib/core/files/store.ts'
import { sessionDigest } from '#lib/core/files/url-token.ts'
import { createServer, type HttpServer } from '#lib/core/http/server.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { portOf } from '../../../setup/servers/port.ts'
import { type S3Server, startS3Server } from '../../../setup/servers/s3-server.ts'

const TOKEN = 'a'.repeat(43)
const VIEWER = sessionDigest(TOKEN)
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-store-'))
let httpServer: HttpServer
let s3: S3Server
const stores: Record<string, ObjectStore> = {}
let origin = ''

beforeAll(async () => {
  s3 = await startS3Server()
  stores.disk = createDiskStore(directory)
  stores.S3 = createS3Store(s3.place)
  httpServer = createServer((_request, response) => response.writeHead(404).end(), {
    log: pino({ level: 'silent' }),
    trustProxy: false,
    isHttps: false,
    findOutage: () => Promise.resolve(null),
    endpoints: new Map([['/v1/part/', partEndpoint(directory, async () => true)]]),
  })
  httpServer.server.listen(0, '127.0.0.1')
  await once(httpServer.server, 'listening')
  origin = `http://127.0.0.1:${portOf(httpServer.server)}`
})

afterAll(async () => {
  await httpServer.drain(50)
  await s3.stop()
  fs.rmSync(directory, { recursive: true })
})

test('creates files readable by their owner only', async () => {
  const umask = process.umask(0)
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-modes-'))
  const own = createDiskStore(path.join(root, 'files'))
  const source = path.join(root, 'source')
  fs.writeFileSync(source, 'one', { mode: 0o644 })
  const [put, copied, joined] = [newKey(), newKey(), newKey()]
  await own.put(put, { path: source })
  await own.put(`${put}.made/hls/index.m3u8`, Buffer.from('#EXTM3U'))
  await own.copy(put, copied)
  await own.startParts(joined)
  process.umask(umask)
  const modes = fs
    .readdirSync(path.join(root, 'files'), { recursive: true, withFileTypes: true })
    .map((entry) => [entry.isDirectory(), fs.statSync(path.join(entry.parentPath, entry.name)).mode & 0o777])
  expect(modes.length).toBeGreaterThan(8)
  for (const [isDirectory, mode] of modes) expect(mode).toBe(isDirectory ? 0o700 : 0o600)
  expect(fs.statSync(path.join(root, 'files')).mode & 0o777).toBe(0o700)
  fs.rmSync(root, { recursive: true })
})

describe.each(['disk', 'S3'])('the store on %s', (name) => {
  const store = () => stores[name] ?? expect.fail('no such store')

  test('returns stored bytes, whole or a range, and their size', async () => {
    const key = newKey()
    expect([await store().stat(key), await store().read(key), await store().openLocalCopy(key, directory)]).toEqual([
      null,
      null,
      null,
    ])
    await store().put(key, Buffer.from('Кафедра'))
    await store().put(key, Buffer.from('0123456789'))
    expect((await store().stat(key))?.size).toBe(10)
    expect(await text(store(), key)).toBe('0123456789')
    expect(await text(store(), key, { start: 2, end: 4 })).toBe('234')
    await store().remove(key)
    await store().remove(key)
    expect(await store().stat(key)).toBeNull()
  })

  test('pipes a range with backpressure and stops when the stream is destroyed', async () => {
    const [key, bytes] = [newKey(), randomBytes(1_000_003)]
    await store().put(key, bytes)
    const chunks: Buffer[] = []
    const slow = new Writable({
      highWaterMark: 1000,
      write: (piece: Buffer, _encoding, done) => {
        chunks.push(Buffer.from(piece))
        setImmediate(done)
      },
    })
    expect(await store().pipeTo(key, { start: 1, end: 900_000 }, slow)).toBe(true)
    expect(Buffer.concat(chunks).equals(bytes.subarray(1, 900_001))).toBe(true)
    expect(await store().pipeTo(newKey(), { start: 0, end: 1 }, slow)).toBe(false)
    const leaving = new Writable({ write: () => leaving.destroy() })
    await expect(store().pipeTo(key, { start: 0, end: 999_999 }, leaving)).resolves.toBe(true)
  })

  test('changes the tag with the content', async () => {
    const key = newKey()
    await store().put(key, Buffer.from('one'))
    const first = (await store().stat(key))?.tag
    expect(first).toMatch(/^[\w-]+$/)
    expect((await store().stat(key))?.tag).toBe(first)
    await store().put(key, Buffer.from('two'))
    expect((await store().stat(key))?.tag).not.toBe(first)
  })

  test('stores local files of one or several parts, and provides local copies', async () => {
    for (const size of [0, 1000, UPLOAD_PART_BYTES * 2 + 17]) {
      const [key, bytes] = [newKey(), randomBytes(size)]
      const file = path.join(directory, `.${newId()}`)
      fs.writeFileSync(file, bytes)
      await store().put(key, { path: file })
      const localCopy =
        (await store().openLocalCopy(key, path.join(directory, '.scratch'))) ?? expect.fail('no local copy')
      expect(fs.readFileSync(localCopy.path).equals(bytes), String(size)).toBe(true)
      await localCopy.done()
      expect((await store().stat(key))?.size).toBe(size)
      fs.rmSync(file)
    }
    const bytes = randomBytes(UPLOAD_PART_BYTES + 5)
    const key = newKey()
    await store().put(key, bytes)
    expect(
      (
        await store()
          .read(key)
          .then((stream) => stream?.toArray())
      )?.reduce((sum, chunk) => sum + chunk.length, 0),
    ).toBe(bytes.length)
  })

  test('leaves no object when the source cannot be read', async () => {
    const key = newKey()
    await expect(store().put(key, { path: path.join(directory, 'absent') })).rejects.toThrow()
    expect(await store().stat(key)).toBeNull()
  })

  test('copies, lists by prefix, and removes a file with its derived files', async () => {
    const [tenant, other] = [newId(), newId()]
    const [file, copy] = [newId(), newId()]
    await store().put(`${tenant}/${file}`, Buffer.from('abc'))
    await store().put(`${tenant}/${file}.made/hls/360/000.m4s`, Buffer.from('de'))
    await store().put(`${tenant}/${file}.made/poster/0.webp`, Buffer.from('f'))
    await store().put(`${other}/${file}`, Buffer.from('neighbour'))
    await store().copy(`${tenant}/${file}`, `${tenant}/${copy}`)
    expect(await text(store(), `${tenant}/${copy}`)).toBe('abc')
    await expect(store().copy(newKey(), newKey())).rejects.toThrow()
    expect(await listed(store(), `${tenant}/`)).toEqual(
      [
        [`${tenant}/${file}`, 3],
        [`${tenant}/${file}.made/hls/360/000.m4s`, 2],
        [`${tenant}/${file}.made/poster/0.webp`, 1],
        [`${tenant}/${copy}`, 3],
      ].sort(),
    )
    expect(await listed(store(), `${tenant}/${file}.made/p`)).toEqual([[`${tenant}/${file}.made/poster/0.webp`, 1]])
    await store().removeFile(tenant, file)
    await store().removeFile(tenant, file)
    expect(await listed(store(), `${tenant}/`)).toEqual([[`${tenant}/${copy}`, 3]])
    expect(await listed(store(), `${other}/`)).toEqual([[`${other}/${file}`, 9]])
    expect(await listed(store(), `${newId()}/`)).toEqual([])
  })

  test.each([
    '../../etc/passwd',
    '.uploads/x',
    '/etc/passwd',
    'a/b',
    `${newId()}/..`,
    `${newId()}/${newId()}.made/../x`,
    `${newId()}/${newId()}.made/.x`,
    `${newId()}/${newId()}/x`,
    '',
  ])('rejects a key without valid ids: %s', async (key) => {
    const attempts = [
      () => store().put(key, Buffer.from('x')),
      () => store().read(key),
      () => store().stat(key),
      () => store().remove(key),
      () => store().copy(newKey(), key),
      () => store().startParts(key),
    ]
    for (const attempt of attempts) await expect((async () => attempt())()).rejects.toThrow()
  })

  describe('uploads in parts', () => {
    const bytes = randomBytes(2 * UPLOAD_PART_BYTES + 1000)
    const piece = (number: number) => bytes.subarray((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES)

    test('joins parts that arrived in any order, across a restart, some of them twice', async () => {
      const key = newKey()
      const uploadId = await store().startParts(key)
      expect(await store().listParts(key, uploadId)).toEqual([])
      expect((await send(key, uploadId, 3)).headers.get('etag')).toMatch(/^"[\w-]+"$/)
      expect((await send(key, uploadId, 1, randomBytes(UPLOAD_PART_BYTES))).status).toBe(200)
      const again = name === 'disk' ? createDiskStore(directory) : createS3Store(s3.place)
      expect(await sizes(again, key, uploadId)).toEqual([
        [1, UPLOAD_PART_BYTES],
        [3, 1000],
      ])
      const both = await Promise.all([send(key, uploadId, 1), send(key, uploadId, 2)])
      expect(both.map(({ status }) => status)).toEqual([200, 200])
      expect(await sizes(again, key, uploadId)).toEqual([
        [1, UPLOAD_PART_BYTES],
        [2, UPLOAD_PART_BYTES],
        [3, 1000],
      ])
      expect(await store().stat(key)).toBeNull()
      await again.finishParts(key, uploadId)
      await again.finishParts(key, uploadId)
      expect(Buffer.concat((await (await store().read(key))?.toArray()) ?? []).equals(bytes)).toBe(true)
      expect(await store().listParts(key, uploadId)).toEqual([])
    })

    test('does not finish while a part is missing, and can finish later', async () => {
      const key = newKey()
      const uploadId = await store().startParts(key)
      await expect(store().finishParts(key, uploadId)).rejects.toThrow('no part')
      await send(key, uploadId, 1)
      await send(key, uploadId, 3)
      await expect(store().finishParts(key, uploadId)).rejects.toThrow('part 2 is missing')
      expect(await store().stat(key)).toBeNull()
      await send(key, uploadId, 2)
      await store().finishParts(key, uploadId)
      expect((await store().stat(key))?.size).toBe(bytes.length)
    })

    test('removes an aborted upload', async () => {
      const key = newKey()
      const uploadId = await store().startParts(key)
      const address = await store().signPart(key, { uploadId, number: 1, size: 4, holder: VIEWER, ttlSeconds: 60 })
      await put(address, Buffer.from('abcd'))
      await store().abortParts(key, uploadId)
      await store().abortParts(key, uploadId)
      expect(await store().listParts(key, uploadId)).toEqual([])
      await expect(store().finishParts(key, uploadId)).rejects.toThrow('not there')
      if (name === 'disk') expect((await put(address, Buffer.from('abcd'))).status).toBe(404)
    })

    test('accepts exactly the signed number of bytes at the signed URL until it expires', async () => {
      const key = newKey()
      const uploadId = await store().startParts(key)
      const part = { uploadId, number: 1, size: 4, holder: VIEWER, ttlSeconds: 60 }
      const address = await store().signPart(key, part)
      for (const wrong of ['abc', 'abcde']) expect((await put(address, Buffer.from(wrong))).ok).toBe(false)
      const changed =
        name === 'disk' ? address.replace('/1/4/', '/2/4/') : address.replace('partNumber=1', 'partNumber=2')
      expect((await put(changed, Buffer.from('abcd'))).ok).toBe(false)
      expect(await store().listParts(key, uploadId)).toEqual([])
      expect((await put(address, Buffer.from('abcd'))).status).toBe(200)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 62_000 })
      const old = await store()
        .signPart(key, part)
        .finally(() => vi.useRealTimers())
      const late = await put(old, Buffer.from('efgh'))
      expect([late.status, (await late.text()).includes('<Message>Request has expired</Message>')]).toEqual([403, true])
      expect(await sizes(store(), key, uploadId)).toEqual([[1, 4]])
    })

    async function send(key: string, uploadId: string, number: number, body = piece(number)) {
      const about = { uploadId, number, size: body.length, holder: VIEWER, ttlSeconds: 60 }
      return put(await store().signPart(key, about), body)
    }
  })
})

describe('a bucket', () => {
  test('serves a signed URL with Range, type and name', async () => {
    const key = newKey()
    const bucket = stores.S3 ?? expect.fail()
    await bucket.put(key, Buffer.from('0123456789'))
    const answer = { type: 'video/mp4', disposition: 'attachment; filename="a.mp4"', seconds: 60 }
    const address = (await bucket.signRead(key, answer)) ?? expect.fail()
    const given = await fetch(address, {
      headers: { range: 'bytes=3-5', origin: 'http://demo.kafedra.localhost:4321' },
    })
    expect([given.status, await given.text()]).toEqual([206, '345'])
    expect(given.headers.get('content-type')).toBe('video/mp4')
    expect(given.headers.get('content-disposition')).toBe(answer.disposition)
    expect(given.headers.get('access-control-allow-origin')).not.toBeNull()
    expect((await fetch(address.replace('video%2Fmp4', 'text%2Fhtml'))).status).toBe(403)
    expect((await fetch(address.replace(/\?.*/, ''))).status).toBe(403)
    expect(await stores.disk?.signRead(key, answer)).toBeNull()
  })

  test('answers CORS preflight requests for parts', async () => {
    const key = newKey()
    const uploadId = (await stores.S3?.startParts(key)) ?? ''
    const part = { uploadId, number: 1, size: 4, holder: VIEWER, ttlSeconds: 60 }
    const address = (await stores.S3?.signPart(key, part)) ?? ''
    const asks = { origin: 'http://demo.kafedra.localhost:4321', 'access-control-request-method': 'PUT' }
    const answer = await fetch(address, { method: 'OPTIONS', headers: asks })
    expect([answer.status, answer.headers.get('access-control-allow-methods')]).toEqual([200, 'GET, HEAD, PUT'])
  })
})

function newKey(): string {
  return `${newId()}/${newId()}`
}

async function text(store: ObjectStore, key: string, range?: { start: number; end: number }): Promise<string | null> {
  const stream = await store.read(key, range ? { range } : {})
  return stream && Buffer.concat(await stream.toArray()).toString()
}

async function listed(store: ObjectStore, prefix: string): Promise<[string, number][]> {
  const found: [string, number][] = []
  for await (const { key, size } of store.list(prefix)) found.push([key, size])
  return found.sort()
}

async function sizes(store: ObjectStore, key: string, uploadId: string): Promise<[number, number][]> {
  return (await store.listParts(key, uploadId)).map(({ number, size }) => [number, size])
}

function put(address: string, body: Uint8Array): Promise<Response> {
  const headers = { cookie: `token=${TOKEN}` }
  return fetch(new URL(address, origin), { method: 'PUT', body: new Uint8Array(body), headers })
}
