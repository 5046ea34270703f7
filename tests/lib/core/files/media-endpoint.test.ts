import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { createDiskStore } from '#lib/core/files/disk/disk.ts'
import { mediaEndpoint } from '#lib/core/files/media-endpoint.ts'
import { mediaBaseUrl } from '#lib/core/files/media-url.ts'
import { createS3Store } from '#lib/core/files/s3/s3.ts'
import { CACHE_TTL_SECONDS } from '#lib/core/files/session-check.ts'
import type { ObjectStore } from '#lib/core/files/store.ts'
import { ANYONE, sessionDigest, signUrlToken } from '#lib/core/files/url-token.ts'
import { readMediaBase } from '#lib/storage/media-base.ts'
import {
  countOpenFiles,
  type EndpointServer,
  OTHER_TENANT,
  startEndpointServer,
  TOKEN,
} from '../../../setup/meeting/endpoint-server.ts'
import { type S3Server, startS3Server } from '../../../setup/servers/s3-server.ts'

const [tenant, file] = [newId(), newId()]
const bytes = randomBytes(300_000)
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-media-'))
const store = createDiskStore(directory)
const base = mediaBaseUrl(tenant, file, sessionDigest(TOKEN))
let s3: S3Server
let disk: EndpointServer
let bucket: EndpointServer

beforeAll(async () => {
  s3 = await startS3Server()
  const far = createS3Store(s3.place)
  disk = await startEndpointServer({ '/v1/media/': mediaEndpoint(store, async () => true) })
  bucket = await startEndpointServer({ '/v1/media/': mediaEndpoint(far, async () => true) })
  await fill(store)
  await fill(far)
})

beforeEach(() => {
  disk.lines.splice(0)
})

afterAll(async () => {
  await disk.httpServer.drain(50)
  await bucket.httpServer.drain(50)
  await s3.stop()
  fs.rmSync(directory, { recursive: true })
})

describe('an address that hides the id of its file', () => {
  const hidden = mediaBaseUrl(tenant, file, sessionDigest(TOKEN), { isHidden: true })

  test('opens the file, from a bucket too, without an answer that has the id or the time of the upload', async () => {
    expect(hidden).not.toContain(file)
    for (const server of [disk, bucket]) {
      const shown = await server.request(`${hidden}original.jpg`)
      expect([shown.status, shown.body.equals(bytes)]).toEqual([200, true])
      expect(JSON.stringify(shown.headers)).not.toContain(file)
      const plain = await disk.request(`${base}original.jpg`)
      expect(shown.headers.etag).not.toBe(plain.headers.etag)
      const again = await server.request(`${hidden}original.jpg`, {
        headers: { 'if-none-match': shown.headers.etag ?? '' },
      })
      expect(again.status).toBe(304)
    }
  })

  test('is refused when it is forged, and cannot be renewed', async () => {
    const forged = hidden.replace(/~(..)/, (_, start: string) => `~${start === 'AA' ? 'BB' : 'AA'}`)
    expect((await disk.request(`${forged}original.jpg`)).status).toBe(404)
    expect(readMediaBase(hidden, sessionDigest(TOKEN))).toBeNull()
    expect(readMediaBase(base, sessionDigest(TOKEN))?.fileId).toBe(file)
  })

  test('has no order', () => {
    const ids = Array.from({ length: 200 }, newId)
    const addresses = ids.map((id) => mediaBaseUrl(tenant, id, ANYONE, { isHidden: true }))
    const rises = addresses.filter((address, index) => index > 0 && address > (addresses[index - 1] ?? '')).length
    expect(Math.abs(rises - 100)).toBeLessThan(40)
  })
})

describe('the media endpoint', () => {
  test('serves a file and its derived files to the token holder', async () => {
    const whole = await disk.request(`${base}original.mp4`)
    expect([whole.status, whole.body.equals(bytes)]).toEqual([200, true])
    expect(whole.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '300000',
      'accept-ranges': 'bytes',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-site',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
    expect(whole.headers['cache-control']).toMatch(/^private, max-age=\d{4}$/)
    const made = await disk.request(`${base}hls/master.m3u8`)
    expect([made.status, made.body.toString(), made.headers['cache-control']]).toEqual([
      200,
      '#EXTM3U',
      'private, no-cache',
    ])
    const authorization = `Bearer ${TOKEN}`
    expect((await disk.request(`${base}original.mp4`, { token: null, headers: { authorization } })).status).toBe(200)
    const open = mediaBaseUrl(tenant, file, ANYONE)
    expect((await disk.request(`${open}original.mp4`, { token: null })).status).toBe(200)
    expect((await disk.request(`${open}original.mp4`, { token: OTHER_TENANT })).status).toBe(200)
  })

  test('refuses tokens of ended sessions, except for public files', async () => {
    const out = await startEndpointServer({ '/v1/media/': mediaEndpoint(store, async (token) => token !== TOKEN) })
    expect((await out.request(`${base}original.mp4`)).status).toBe(404)
    const open = mediaBaseUrl(tenant, file, ANYONE)
    expect((await out.request(`${open}original.mp4`)).status).toBe(200)
    await out.httpServer.drain(50)
  })

  test('keeps a URL stable for a while', () => {
    expect(mediaBaseUrl(tenant, file, ANYONE)).toBe(mediaBaseUrl(tenant, file, ANYONE))
  })

  const expired = { issuedAt: 1_700_000_000, expiresAt: Math.floor(Date.now() / 1000) - 1 }
  const old = `/v1/media/${tenant}/${file}/${signUrlToken(`media/${tenant}/${file}`, sessionDigest(TOKEN), expired)}/`
  const another = newId()
  const changed = base.replace(/.(?=.{10}\/$)/, (letter) => (letter === 'A' ? 'B' : 'A'))
  test.each<[string, string, string | null]>([
    ['somebody without a session', `${base}original.mp4`, null],
    ["a neighbour's session", `${base}original.mp4`, OTHER_TENANT],
    ['an expired address', `${old}original.mp4`, TOKEN],
    ['another file by the same token', `${base.replace(file, another)}original.mp4`, TOKEN],
    ['the same file of another school', `${base.replace(tenant, another)}original.mp4`, TOKEN],
    ['a token changed in one letter', `${changed}original.mp4`, TOKEN],
    ['a later end than was signed', `${base.replace(/\.([0-9a-z]+)\./, '.zzzzzz.')}original.mp4`, TOKEN],
    ['what was never made', `${base}hls/720/index.m3u8`, TOKEN],
    ['a folder', `${base}hls`, TOKEN],
    ['no path', base, TOKEN],
    ['a path upwards', `${base}../${file}`, TOKEN],
    ['a path upwards, escaped', `${base}%2e%2e/${file}`, TOKEN],
    ['a path upwards in the middle', `${base}hls/../../${another}`, TOKEN],
    ['a path with a zero', `${base}hls/%00`, TOKEN],
    ['an absolute path', `${base}/etc/passwd`, TOKEN],
    ['a hidden file', `${base}.uploads`, TOKEN],
    ['a tenant of dots', `/v1/media/${'.'.repeat(36)}/${file}/x/original.mp4`, TOKEN],
    ['nothing at all', '/v1/media/', TOKEN],
  ])('answers 404 for %s', async (_what, target, token) => {
    expect([400, 404]).toContain((await disk.request(target, { token })).status)
    const { status, headers } = await bucket.request(target, { token })
    // A bucket is not queried first: the signed URL returns the error.
    expect([400, 404]).toContain(status === 302 ? (await fetch(String(headers.location))).status : status)
  })

  test('serves one range, and the whole file for several ranges or another unit', async () => {
    const target = `${base}original.mp4`
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=299990-', 299_990, 299_999],
      ['bytes=299990-999999', 299_990, 299_999],
      ['bytes=-10', 299_990, 299_999],
      ['bytes=-999999', 0, 299_999],
    ] as const) {
      const { status, headers, body } = await disk.request(target, { headers: { range } })
      expect([status, headers['content-range'], headers['content-length']], range).toEqual([
        206,
        `bytes ${start}-${end}/300000`,
        String(end - start + 1),
      ])
      expect(body.equals(bytes.subarray(start, end + 1)), range).toBe(true)
    }
    for (const range of ['bytes=300000-', 'bytes=-0', 'bytes=999999-1000000']) {
      const { status, headers } = await disk.request(target, { headers: { range } })
      expect([status, headers['content-range']], range).toEqual([416, 'bytes */300000'])
    }
    for (const range of ['bytes=0-1,5-6', 'items=0-1', 'bytes=5-1', 'bytes=-', 'bytes=a-b']) {
      expect((await disk.request(target, { headers: { range } })).status, range).toBe(200)
    }
  })

  test('answers conditional requests', async () => {
    const target = `${base}original.mp4`
    const etag = String((await disk.request(target)).headers.etag)
    expect((await disk.request(target, { headers: { 'if-none-match': `"x", W/${etag}` } })).status).toBe(304)
    expect((await disk.request(target, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
    expect((await disk.request(target, { headers: { range: 'bytes=0-9', 'if-range': etag } })).status).toBe(206)
    expect((await disk.request(target, { headers: { range: 'bytes=0-9', 'if-range': '"x"' } })).status).toBe(200)
    const head = await disk.request(target, { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '300000', 0])
    expect((await disk.request(target, { method: 'POST' })).status).toBe(405)
    expect((await disk.request(`${mediaBaseUrl(tenant, another, sessionDigest(TOKEN))}original.txt`)).status).toBe(404)
  })

  test.each([
    ['original.html', 'application/octet-stream', 'attachment'],
    ['original.svg', 'application/octet-stream', 'attachment'],
    ['original.js', 'application/octet-stream', 'attachment'],
    ['original.xml', 'application/octet-stream', 'attachment'],
    ['original.constructor', 'application/octet-stream', 'attachment'],
    ['original', 'application/octet-stream', 'attachment'],
    ['original.txt', 'text/plain; charset=utf-8', 'inline'],
    ['original.pdf', 'application/pdf', 'inline'],
    ['original.webp', 'image/webp', 'inline'],
    ['original.webp?download', 'image/webp', 'attachment'],
  ])('gives %s as %s, %s', async (name, type, kind) => {
    const { headers } = await disk.request(base + name)
    expect([headers['content-type'], headers['content-disposition']]).toEqual([type, kind])
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test.each([
    [
      'Лекція № 1.mp4',
      `inline; filename="______ _ 1.mp4"; filename*=UTF-8''%D0%9B%D0%B5%D0%BA%D1%86%D1%96%D1%8F%20%E2%84%96%201.mp4`,
    ],
    ['plain.mp4', 'inline; filename="plain.mp4"'],
    [
      'a"b\r\nSet-Cookie: x=1\u202e.mp4',
      `inline; filename="a_bSet-Cookie: x=1.mp4"; filename*=UTF-8''a%22bSet-Cookie%3A%20x%3D1.mp4`,
    ],
    ["it's (1)*.mp4", `inline; filename="it's (1)*.mp4"`],
    ['../../up.mp4', 'inline; filename="....up.mp4"'],
  ])('names a download %j', async (name, expected) => {
    const { headers } = await disk.request(`${base}original.mp4?name=${encodeURIComponent(name)}`)
    expect(headers['content-disposition']).toBe(expected)
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('closes the file when the client disconnects, and logs one line', async () => {
    const big = newId()
    await store.put(`${tenant}/${big}`, randomBytes(20_000_000))
    const target = `${mediaBaseUrl(tenant, big, sessionDigest(TOKEN))}original.mp4`
    for (let count = 0; count < 20; count++) {
      const socket = net.connect(disk.port, '127.0.0.1')
      socket.write(`GET ${target} HTTP/1.1\r\nHost: a.test\r\nCookie: token=${TOKEN}\r\n\r\n`)
      await once(socket, 'data')
      socket.destroy()
    }
    await expect.poll(() => countOpenFiles(big)).toBe(0)
    const own = () => disk.lines.filter((line) => String(line.path).includes(big)).map(({ status }) => status)
    await expect.poll(own).toEqual(Array.from({ length: 20 }, () => 499))
  })

  test('applies backpressure', async () => {
    const big = newId()
    await store.put(`${tenant}/${big}`, randomBytes(60_000_000))
    const before = process.memoryUsage().arrayBuffers
    const socket = net.connect(disk.port, '127.0.0.1')
    socket.pause()
    const target = `${mediaBaseUrl(tenant, big, sessionDigest(TOKEN))}original.mp4`
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a.test\r\nCookie: token=${TOKEN}\r\n\r\n`)
    await pause(300)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(15_000_000)
    socket.destroy()
  })

  test('omits the token from the log', async () => {
    await disk.request(`${base}original.mp4?name=secret.mp4`)
    await expect.poll(() => disk.lines.filter(({ status }) => status === 200)).toHaveLength(1)
    const [line] = disk.lines.filter(({ status }) => status === 200)
    expect(line).toMatchObject({ method: 'GET', path: `/v1/media/${tenant}/${file}/*/original.mp4` })
  })
})

describe('the media endpoint with S3', () => {
  const pieceOf = (viewer: string) => `${mediaBaseUrl(tenant, file, viewer)}hls/720/1.m4s`

  test('redirects to a URL that expires within a minute after a sign-out', async () => {
    const { status, headers } = await bucket.request(`${pieceOf(sessionDigest(TOKEN))}?name=a.mp4`)
    const away = new URL(String(headers.location))
    const lasts = Number(away.searchParams.get('X-Amz-Expires'))
    expect([status, away.origin]).toEqual([302, s3.place.endpoint])
    expect(lasts + CACHE_TTL_SECONDS).toBeLessThan(60)
    expect(headers['cache-control']).toBe(`private, max-age=${lasts - 10}`)
    const given = await fetch(away, { headers: { range: 'bytes=5-9' } })
    expect([given.status, given.headers.get('content-type')]).toEqual([206, 'video/mp4'])
    expect(Buffer.from(await given.arrayBuffer()).equals(bytes.subarray(5, 10))).toBe(true)
    const open = await bucket.request(pieceOf(ANYONE), { token: null })
    expect(new URL(String(open.headers.location)).searchParams.get('X-Amz-Expires')).toBe('300')
  })

  test('signs URLs that expire', async () => {
    const options = { type: 'video/mp4', disposition: 'inline', seconds: 1 }
    const address = await createS3Store(s3.place).signRead(`${tenant}/${file}`, options)
    await expect.poll(async () => (await fetch(address ?? '')).status, { timeout: 10_000 }).toBe(403)
  })

  test('streams media itself and redirects downloads', async () => {
    const played = await bucket.request(`${base}original.mp4`, { headers: { range: 'bytes=5-9' } })
    expect([played.status, played.headers['content-range']]).toEqual([206, 'bytes 5-9/300000'])
    expect(played.body.equals(bytes.subarray(5, 10))).toBe(true)
    const late = await bucket.request(`${base}original.mp4`, { headers: { range: 'bytes=299990-' } })
    expect(late.body.equals(bytes.subarray(299_990))).toBe(true)
    expect((await bucket.request(`${base}original.mp4?download`)).status).toBe(302)
    expect((await bucket.request(`${base}original.pdf`)).status).toBe(302)
  })

  test('serves playlists itself', async () => {
    const list = await bucket.request(`${base}hls/master.m3u8`)
    expect([list.status, list.body.toString()]).toEqual([200, '#EXTM3U'])
    const head = await bucket.request(`${base}original.mp4`, { method: 'HEAD' })
    expect([head.status, head.headers['content-length']]).toEqual([200, '300000'])
  })
})

async function fill(into: ObjectStore): Promise<void> {
  await into.put(`${tenant}/${file}`, bytes)
  await into.put(`${tenant}/${file}.made/hls/720/1.m4s`, bytes)
  await into.put(`${tenant}/${file}.made/hls/master.m3u8`, Buffer.from('#EXTM3U'))
}
