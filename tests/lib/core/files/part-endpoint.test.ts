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
import { partEndpoint } from '#lib/core/files/part-endpoint.ts'
import { sessionDigest } from '#lib/core/files/url-token.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import {
  countOpenFiles,
  type EndpointServer,
  OTHER_TENANT,
  startEndpointServer,
  TOKEN,
} from '../../../setup/meeting/endpoint-server.ts'

const tenant = newId()
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-parts-'))
const store = createDiskStore(directory)
let endpoint: EndpointServer

beforeAll(async () => {
  endpoint = await startEndpointServer({ '/v1/part/': partEndpoint(directory, async () => true) })
})

beforeEach(() => {
  endpoint.lines.splice(0)
})

afterAll(async () => {
  await endpoint.httpServer.drain(50)
  fs.rmSync(directory, { recursive: true })
})

describe('the part endpoint', () => {
  test('accepts parts from their uploader only', async () => {
    const { key, uploadId, address } = await begun(1000)
    const body = randomBytes(1000)
    expect((await endpoint.put(address, body, null)).status).toBe(404)
    expect((await endpoint.put(address, body, OTHER_TENANT)).status).toBe(404)
    expect((await endpoint.put(address.replace(tenant, newId()), body)).status).toBe(404)
    expect((await endpoint.put(address.replace(uploadId, newId()), body)).status).toBe(404)
    expect((await endpoint.request(address)).status).toBe(405)
    expect(await store.listParts(key, uploadId)).toEqual([])
    const response = await endpoint.put(address, body)
    expect([response.status, response.headers.etag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)])
    expect(endpoint.lines.map(({ status }) => status)).toEqual([404, 404, 404, 404, 405, 200])
  })

  test('rejects an incomplete or oversized part, and accepts it again', async () => {
    const { key, uploadId, address } = await begun(1_000_000)
    const socket = net.connect(endpoint.port, '127.0.0.1')
    socket.write(`PUT ${address} HTTP/1.1\r\nHost: a.test\r\nCookie: token=${TOKEN}\r\nContent-Length: 1000000\r\n\r\n`)
    socket.write(randomBytes(400_000))
    await pause(100)
    socket.destroy()
    await expect.poll(() => endpoint.lines.map(({ status }) => status)).toEqual([499])
    expect(await store.listParts(key, uploadId)).toEqual([])
    const long = net.connect(endpoint.port, '127.0.0.1').resume()
    long.on('error', () => {})
    long.write(
      `PUT ${address} HTTP/1.1\r\nHost: a.test\r\nCookie: token=${TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    for (let count = 0; count < 30; count++) long.write(`${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`)
    await once(long, 'close')
    expect(await store.listParts(key, uploadId)).toEqual([])
    expect((await endpoint.put(address, randomBytes(1_000_000))).status).toBe(200)
    expect(await countOpenFiles(uploadId)).toBe(0)
  })

  test('lets the later of two writers of a part win', async () => {
    const { key, uploadId, address } = await begun(UPLOAD_PART_BYTES)
    const slow = net.connect(endpoint.port, '127.0.0.1').resume()
    slow.on('error', () => {})
    slow.write(
      `PUT ${address} HTTP/1.1\r\nHost: a.test\r\nCookie: token=${TOKEN}\r\nContent-Length: ${UPLOAD_PART_BYTES}\r\n\r\n`,
    )
    slow.write(Buffer.alloc(2_000_000, 1))
    await pause(50)
    const body = Buffer.alloc(UPLOAD_PART_BYTES, 2)
    const ended = once(slow, 'close')
    expect((await endpoint.put(address, body)).status).toBe(200)
    slow.write(Buffer.alloc(UPLOAD_PART_BYTES - 2_000_000, 1))
    await ended
    await store.finishParts(key, uploadId)
    const kept = Buffer.concat((await (await store.read(key))?.toArray()) ?? [])
    expect(kept.equals(body)).toBe(true)
  })

  test('survives the same part sent ten times at once', async () => {
    const { key, uploadId, address } = await begun(500_000)
    const body = randomBytes(500_000)
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => endpoint.put(address, body)))
    expect(answers.some((answer) => answer.status === 'fulfilled' && answer.value.status === 200)).toBe(true)
    await endpoint.put(address, body)
    await store.finishParts(key, uploadId)
    const kept = Buffer.concat((await (await store.read(key))?.toArray()) ?? [])
    expect(kept.equals(body)).toBe(true)
    expect((await endpoint.put(address, body)).status).toBe(404)
  })

  test('has a longer timeout for a part than for other requests', async () => {
    const hasty = await startEndpointServer({ '/v1/part/': partEndpoint(directory, async () => true) }, 300)
    const { address } = await begun(1000)
    const paths = [address, '/v1/module/x/y', '/v1/part/x']
    const sockets = paths.map((to) => {
      const socket = net.connect(hasty.port, '127.0.0.1').resume()
      socket.write(`PUT ${to} HTTP/1.1\r\nHost: a.test\r\nCookie: token=${TOKEN}\r\nContent-Length: 1000\r\n\r\nx`)
      return socket
    })
    await pause(900)
    expect(sockets.map((socket) => socket.closed)).toEqual([false, true, true])
    sockets[0]?.write('x'.repeat(999))
    await expect.poll(() => hasty.lines.map(({ status }) => status).sort()).toEqual([200, 200, 404])
    await hasty.httpServer.drain(50)
  })

  async function begun(size: number) {
    const key = `${tenant}/${newId()}`
    const uploadId = await store.startParts(key)
    const part = { uploadId, number: 1, size, holder: sessionDigest(TOKEN), ttlSeconds: 60 }
    return { key, uploadId, address: await store.signPart(key, part) }
  }
})
