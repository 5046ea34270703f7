import { createHash, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '#lib/core/config/config.ts'
import { sign } from '#lib/core/files/object-store.ts'

test('a request is signed as in the example of AWS', () => {
  const keys = {
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt')
  const at = new Date('2013-05-24T00:00:00Z')
  const { authorization } = sign(keys, { method: 'GET', url, headers: { range: 'bytes=0-9' }, at })
  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})

test('an endpoint without bucket or keys stops the start and names what is missing', () => {
  expect(() => readConfig({ S3_ENDPOINT: 'https://store.test', S3_BUCKET: 'school' })).toThrow(
    'S3_ACCESS_KEY_ID: is needed with S3_ENDPOINT\nS3_SECRET_ACCESS_KEY: is needed with S3_ENDPOINT',
  )
  expect(readConfig({}).s3).toBeNull()
})

describe('with an object store files', () => {
  const objects = new Map<string, Buffer>()
  const broken = new Set<string>()
  let store: http.Server
  let files: typeof import('#lib/core/files/files.ts')

  beforeAll(async () => {
    store = http.createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      const digest = createHash('sha256').update(body).digest('hex')
      const signed = /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu\/s3\//.test(request.headers.authorization ?? '')
      const name = request.url ?? ''
      const found = objects.get(name)
      if (!signed || request.headers['x-amz-content-sha256'] !== digest) return response.writeHead(403).end('no')
      if (broken.has(name)) return response.writeHead(503).end('SlowDown')
      if (request.method === 'PUT') objects.set(name, body)
      if (request.method === 'DELETE') objects.delete(name)
      if (request.method === 'GET') return found ? response.end(found) : response.writeHead(404).end()
      return response.end()
    })
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
    const { port } = store.address() as AddressInfo
    vi.stubEnv('S3_ENDPOINT', `http://127.0.0.1:${port}`)
    for (const [name, value] of Object.entries({ BUCKET: 'schools', REGION: 'eu', ACCESS_KEY_ID: 'key' })) {
      vi.stubEnv(`S3_${name}`, value)
    }
    vi.stubEnv('S3_SECRET_ACCESS_KEY', 'secret')
    vi.resetModules()
    files = await import('#lib/core/files/files.ts')
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    store.close()
  })

  test('are put, read and removed under tenant and id', async () => {
    const [tenantId, fileId] = [randomUUID(), randomUUID()]
    const bytes = new Uint8Array([0, 255, 1, 254])
    await files.writeStored(tenantId, fileId, bytes)
    expect([...objects.keys()]).toEqual([`/schools/${tenantId}/${fileId}`])
    expect([...((await files.readStored(tenantId, fileId)) ?? [])]).toEqual([0, 255, 1, 254])
    await files.removeStored(tenantId, fileId)
    expect(await files.readStored(tenantId, fileId)).toBeNull()
    await files.removeStored(tenantId, fileId)
  })

  test('are not said to be kept when the store refuses them', async () => {
    const [tenantId, fileId] = [randomUUID(), randomUUID()]
    broken.add(`/schools/${tenantId}/${fileId}`)
    await expect(files.writeStored(tenantId, fileId, new Uint8Array([1]))).rejects.toThrow('503')
    await expect(files.readStored(tenantId, fileId)).rejects.toThrow('503')
    expect(() => files.writeStored('../..', fileId, new Uint8Array())).toThrow(TypeError)
  })
})
