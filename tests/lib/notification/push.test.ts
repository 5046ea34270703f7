import { createPublicKey, verify } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { deliverDue } from '#lib/notification/delivery/deliver.ts'
import { notify } from '#lib/notification/notify.ts'
import { encryptPush, MAX_PUSH_BYTES } from '#lib/notification/push/encrypt-push.ts'
import { subscribePush, unsubscribePush } from '#lib/notification/push/push.ts'
import { SubscribePush } from '#lib/notification/push/schema.ts'
import { requestApi } from '../../api/api-request.ts'
import { PushBrowser } from '../../setup/push-browser.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const base64url = (text: string) => Buffer.from(text, 'base64url')

interface Received {
  path: string
  headers: http.IncomingHttpHeaders
  body: Buffer
}

let server: http.Server
let origin: string
let received: Received[]
/** Status and headers of the next responses by path; 201 without an entry. */
let answers: Record<string, [number, Record<string, string>][]>
let home: TestTenant
let student: Actor
beforeEach(async () => {
  home = await createTestTenant()
  student = home.as.STUDENT
  received = []
  answers = {}
  server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
    const [status, headers] = answers[path]?.shift() ?? [201, {}]
    response.writeHead(status, headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

let keys = 0
const add = (actor: Actor, groupKey?: string) =>
  inTenant(actor, (tx) => {
    keys += 1
    const added = { kind: 'homework_message', data: { subject: 'Ескіз' }, link: '/course/lesson/1' } as const
    return notify(tx, { ...added, memberIds: [actor.membershipId], key: `k${keys}`, ...(groupKey && { groupKey }) })
  })
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const countSubscriptions = async () => {
  const { rows } = await inTenant(student, (tx) => tx.execute('select 1 from push_subscription'))
  return rows.length
}

test('encrypts the example of RFC 8291', () => {
  const receiver = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const sender = {
    privateKey: base64url('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: base64url('DGv6ra1nlYgDCS1FRnbzlw'),
  }
  const encrypted = encryptPush('When I grow up, I want to be a watermelon', receiver, sender)
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('the largest message is decrypted, and a larger one is refused', () => {
  const browser = new PushBrowser()
  const text = 'а'.repeat(Math.floor(MAX_PUSH_BYTES / 2))
  expect(browser.decrypt(encryptPush(text, browser.keys))).toBe(text)
  expect(() => encryptPush('x'.repeat(MAX_PUSH_BYTES + 1), browser.keys)).toThrow(RangeError)
})

test('a browser receives an encrypted message that is signed for its push service, once', async () => {
  const browser = new PushBrowser()
  await subscribePush(student, { endpoint: `${origin}/a`, keys: browser.keys })
  await add(student)
  await Promise.all([deliverDue(later(1)), deliverDue(later(1))])
  await deliverDue(later(2))
  const [message, ...more] = received
  expect(more).toEqual([])
  if (!message) throw new Error('nothing was received')
  expect(JSON.parse(browser.decrypt(message.body))).toMatchObject({
    title: '1 нове повідомлення про роботу: Ескіз',
    url: expect.stringContaining('/course/lesson/1'),
  })
  expect(message.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(message.headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = base64url(key)
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  expect(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, base64url(signature))).toBe(true)
  const { aud, exp, sub } = JSON.parse(base64url(claims).toString())
  expect(aud).toBe(origin)
  expect(sub).toContain('mailto:')
  expect(exp * 1000 - Date.now()).toBeLessThan(24 * 3_600_000)
})

test('an expired subscription is removed', async () => {
  await subscribePush(student, { endpoint: `${origin}/gone`, keys: new PushBrowser().keys })
  answers['/gone'] = [[410, {}]]
  await add(student)
  await deliverDue(later(1))
  await add(student)
  await deliverDue(later(2))
  expect(received).toHaveLength(1)
  expect(await countSubscriptions()).toBe(0)
})

test('after a temporary failure only the browser that has not received it is tried again, after Retry-After', async () => {
  await subscribePush(student, { endpoint: `${origin}/good`, keys: new PushBrowser().keys })
  await subscribePush(student, { endpoint: `${origin}/busy`, keys: new PushBrowser().keys })
  answers['/busy'] = [
    [429, { 'retry-after': '600' }],
    [503, {}],
  ]
  await add(student)
  for (const minutes of [1, 5, 12, 30, 60]) await deliverDue(later(minutes))
  expect(received.map(({ path }) => path).sort()).toEqual(['/busy', '/busy', '/busy', '/good'])
})

test('a browser from which the person has signed out receives nothing', async () => {
  await subscribePush(student, { endpoint: `${origin}/a`, keys: new PushBrowser().keys })
  await inTenant(student, (tx) => tx.execute(`update session set revoked_at = now() where id = '${student.sessionId}'`))
  await add(student)
  await deliverDue(later(1))
  expect(received).toEqual([])
  expect(await countSubscriptions()).toBe(0)
})

test('a browser is stored once, ends its own subscription only, and names a known push service', async () => {
  const { keys } = new PushBrowser()
  const endpoint = 'https://fcm.googleapis.com/fcm/send/1'
  for (let time = 0; time < 2; time += 1) await subscribePush(student, { endpoint, keys })
  expect(await countSubscriptions()).toBe(1)
  await unsubscribePush(home.as.OWNER, { endpoint })
  expect(await countSubscriptions()).toBe(1)
  await unsubscribePush(student, { endpoint })
  expect(await countSubscriptions()).toBe(0)
  for (const wrong of [
    'http://fcm.googleapis.com/1',
    'https://fcm.googleapis.com:8443/1',
    'https://127.0.0.1/1',
    'https://fcm.googleapis.com.example.com/1',
    'https://user@fcm.googleapis.com/1',
  ])
    expect(SubscribePush.safeParse({ endpoint: wrong, keys }).success).toBe(false)
  expect(SubscribePush.safeParse({ endpoint, keys: { ...keys, p256dh: 'short' } }).success).toBe(false)
  expect(SubscribePush.safeParse({ endpoint, keys }).success).toBe(true)
  expect(await requestApi('POST', 'notification/subscribePush', { body: { endpoint, keys } })).toMatchObject({
    status: 401,
  })
})
