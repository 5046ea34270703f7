import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ConfigurationError, config, readConfig } from '#lib/core/config/config.ts'
import { type S3Server, startS3Server } from '../../../setup/servers/s3-server.ts'

let open: S3Server
let closed: S3Server

beforeAll(async () => {
  open = await startS3Server()
  closed = await startS3Server({ cors: false })
})

afterAll(async () => {
  await open.stop()
  await closed.stop()
})

describe('the settings of a bucket', () => {
  test('are given all together or not at all', () => {
    expect(readConfig({}).s3).toBeNull()
    expect(readConfig({ S3_REGION: 'eu-central-1', S3_BUCKET: '' }).s3).toBeNull()
    expect(readConfig({ ...open.environment, S3_REGION: 'eu-central-1' }).s3).toEqual({
      ...open.place,
      region: 'eu-central-1',
    })
    for (const name of Object.keys(open.environment)) {
      const read = () => readConfig({ ...open.environment, [name]: undefined })
      expect(read, name).toThrow(ConfigurationError)
      expect(read, name).toThrow(name)
    }
    expect(() => readConfig({ ...open.environment, S3_ENDPOINT: 'files.example' })).toThrow('S3_ENDPOINT')
  })
})

describe('the doctor command', () => {
  test.each([
    ['a bucket that browsers may use', () => open.place, 'ok', '/files'],
    ['a bucket without CORS', () => closed.place, 'fail', 'CORS'],
    ['a bucket that is not there', () => ({ ...open.place, bucket: 'absent' }), 'fail', 'S3_*'],
    ['a wrong key', () => ({ ...open.place, secretAccessKey: 'wrong' }), 'fail', 'S3_*'],
    ['nobody at the address', () => ({ ...open.place, endpoint: 'http://127.0.0.1:9' }), 'fail', 'S3_*'],
  ])('says of %s', async (_what, place, level, words) => {
    const { checkOutside } = await import('../../../../scripts/doctor/doctor-outside.ts')
    const findings = await checkOutside({ ...config, s3: place() })
    const found = findings.find(([, name]) => name.includes('Store'))
    expect([found?.[0], found?.[2]]).toEqual([level, expect.stringContaining(words)])
  })
})

test('pages may upload to the bucket and display its files', async () => {
  Object.assign(process.env, open.environment)
  vi.resetModules()
  const { completeContentSecurityPolicy } = await import('#lib/core/http/response-headers.ts')
  for (const name of Object.keys(open.environment)) delete process.env[name]
  const given =
    "default-src 'self'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; script-src 'self';"
  const response = completeContentSecurityPolicy(new Response('', { headers: { 'content-security-policy': given } }))
  const policy = String(response.headers.get('content-security-policy'))
  const { endpoint } = open.place
  expect(policy).toContain(`img-src 'self' ${endpoint} data:`)
  expect(policy).toContain(`media-src 'self' ${endpoint} blob:`)
  expect(policy).toContain(`connect-src 'self' ${endpoint};`)
  expect(policy).toContain("default-src 'self'; ")
  expect(policy).toContain("script-src 'self';")
})
