import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { startDnsServer } from '../../../setup/servers/dns-server.ts'
import type { TestTenant } from '../../../setup/tenants.ts'

// The configuration is read once, so it is set before any module of the product is loaded.
const dns = await startDnsServer()
process.env.DNS_SERVERS = dns.address
process.env.MAIL_REPLY_ADDRESS = 'replies@mail.kafedra.test'
process.env.MAIL_AUTHSERV_ID = 'mx.kafedra.test, mx2.kafedra.test'
const { emailUnread } = await import('#lib/chat/notify-members/unread-email.ts')
const { receiveReply } = await import('#lib/chat/reply/reply.ts')
const { listHeldReplies, releaseHeldReply } = await import('#lib/chat/scheduled/held.ts')
const { listScheduled } = await import('#lib/chat/scheduled/scheduled.ts')
const { inTenant, pool } = await import('#lib/core/db/db.ts')
const { startInboundServer } = await import('#lib/core/mail/inbound/server.ts')
const { replyAddressOf } = await import('#lib/core/mail/reply-address.ts')
const { closeWorkers } = await import('#lib/core/worker/pool.ts')
const { chatCourse, sendText, startDirect } = await import('../../../setup/chat/conversations.ts')
const { listMessages } = await import('../../../setup/chat/parsed-chat.ts')
const { listNotifications } = await import('../../../setup/notification.ts')
const { createTestTenant } = await import('../../../setup/tenants.ts')
const { generateKeyPairSync } = await import('node:crypto')

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
let home: TestTenant
let student: Actor
let curator: Actor
let conversationId: string
let address: string
let domain: string
let server: Awaited<ReturnType<typeof startInboundServer>>
beforeAll(async () => {
  server = await startInboundServer({ port: 0, host: '127.0.0.1' }, (raw, client) => receiveReply(raw, { client }))
})
beforeEach(async () => {
  dns.records = []
  home = await createTestTenant()
  await chatCourse(home)
  student = home.as.STUDENT
  curator = home.as.CURATOR
  domain = student.email.split('@')[1] ?? ''
  conversationId = await startDirect(student, curator)
  await sendText(curator, conversationId, 'Добрий день!')
  await emailUnread({ tenantId: home.tenant.id, conversationId, fromSeq: 1 })
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ id: string }>(`select id from mail where "to" = '${student.email}' and accepts_replies`),
  )
  address = replyAddressOf({ id: rows[0]?.id ?? '', tenantId: student.tenantId }) ?? ''
})
afterAll(async () => {
  closeWorkers()
  await server.stop()
  await dns.stop()
  await pool.end()
})

let sent = 0
const raw = (results: string[] = [], text = 'Так') =>
  [
    ...results.map((result) => `Authentication-Results: ${result}`),
    `From: ${student.email}`,
    `To: ${address}`,
    `Message-ID: <${++sent}@mail.test>`,
    '',
    text,
  ].join('\r\n')
const bodies = async () => (await listMessages(student, { conversationId })).messages.map(({ body }) => body).slice(1)
const listHeld = async () => (await listScheduled(student, { conversationId })).messages

test('a reply without an authenticated sender waits, and the person and staff are notified', async () => {
  const reply = raw()
  await receiveReply(reply)
  await receiveReply(reply)
  expect(await bodies()).toEqual([])
  expect(await listHeld()).toMatchObject([{ body: 'Так', failure: 'unverified' }])
  for (const actor of [student, curator])
    expect((await listNotifications(actor, {})).items).toContainEqual(
      expect.objectContaining({ kind: 'chat_reply_held', count: 1 }),
    )
})

test('the person sends it, once', async () => {
  await receiveReply(raw())
  const messageId = (await listHeld())[0]?.messageId ?? ''
  const sending = await Promise.allSettled([1, 2].map(() => releaseHeldReply(student, { messageId })))
  expect(sending.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await bodies()).toEqual(['Так'])
  expect(await listHeld()).toEqual([])
})

test('staff of the conversation sees and sends it in the name of the person; others do not see it', async () => {
  await receiveReply(raw())
  const [waiting] = await listHeldReplies(curator)
  expect(waiting).toMatchObject({ body: 'Так', conversationId })
  const messageId = waiting?.messageId ?? ''
  for (const actor of [home.as.EXPERT, home.as.MENTOR]) {
    expect(await listHeldReplies(actor)).toEqual([])
    await expect(releaseHeldReply(actor, { messageId })).rejects.toMatchObject({ code: 'not_found' })
  }
  await releaseHeldReply(curator, { messageId })
  expect((await listMessages(student, { conversationId })).messages.at(-1)).toMatchObject({
    body: 'Так',
    authorId: student.membershipId,
  })
})

test.each([
  [['mx.kafedra.test; dkim=pass header.d={domain}'], true],
  [['mx.kafedra.test 1; dkim=fail header.d={domain}; spf=pass (ok; dkim=fail) smtp.mailfrom=student@{domain}'], true],
  [['MX2.kafedra.test; dmarc=pass (p=none) header.from={domain}'], true],
  [['mx.other.test; spf=pass smtp.mailfrom=x@{domain}', 'mx.kafedra.test; dkim=pass header.i=@{domain}'], true],
  [['mx.other.test; dkim=pass header.d={domain}'], false],
  [['mx.kafedra.test; dkim=pass header.d=elsewhere.test'], false],
  [['mx.kafedra.test; dkim=pass header.d=test'], false],
  [['mx.kafedra.test; dkim=pass header.d=x.{domain}'], false],
  [['mx.kafedra.test; spf=softfail smtp.mailfrom=x@{domain}; dkim=none'], false],
  [['mx.kafedra.test; none (dkim=pass header.d={domain})'], false],
  [['mx.kafedra.test; none', 'mx.kafedra.test; dkim=pass header.d={domain}'], false],
])('with the results %j a reply is posted: %s', async (results, isPosted) => {
  await receiveReply(raw(results.map((result) => result.replaceAll('{domain}', domain))))
  expect((await bodies()).length).toBe(isPosted ? 1 : 0)
  expect((await listHeld()).length).toBe(isPosted ? 0 : 1)
})

interface SmtpReply {
  text: string
  isSigned?: boolean
  results?: string
}
const sendBySmtp = ({ text, isSigned = false, results }: SmtpReply) =>
  createTransport({
    host: '127.0.0.1',
    port: server.port,
    ignoreTLS: true,
    ...(isSigned && { dkim: { domainName: domain, keySelector: 's', privateKey: keys.privateKey } }),
  }).sendMail({
    from: student.email,
    to: address,
    text,
    ...(results && { headers: { 'Authentication-Results': results } }),
  })

test('by the own server a reply is posted by SPF or a signature of its domain, and by no foreign results', async () => {
  await sendBySmtp({ text: 'чужі дані', results: `mx.kafedra.test; dkim=pass header.d=${domain}` })
  await sendBySmtp({ text: 'без ключа', isSigned: true })
  expect(await bodies()).toEqual([])
  const key = `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}`
  dns.records = [{ type: 'TXT', name: `s._domainkey.${domain}`, data: [key.slice(0, 200), key.slice(200)] }]
  await sendBySmtp({ text: 'підписано', isSigned: true })
  dns.records = [{ type: 'TXT', name: domain, data: ['v=spf1 ip4:10.0.0.1 -all'] }]
  await sendBySmtp({ text: 'інший сервер' })
  dns.records = [{ type: 'TXT', name: domain, data: ['v=spf1 ip4:127.0.0.1 -all'] }]
  await sendBySmtp({ text: 'дозволено' })
  expect(await bodies()).toEqual(['підписано', 'дозволено'])
  expect((await listHeld()).map(({ body }) => body).sort()).toEqual(['без ключа', 'чужі дані', 'інший сервер'].sort())
})
