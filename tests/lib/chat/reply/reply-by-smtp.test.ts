import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { startDnsServer } from '../../../setup/servers/dns-server.ts'

// The configuration is read once, before any module of the product is loaded.
const dns = await startDnsServer()
process.env.DNS_SERVERS = dns.address
process.env.MAIL_REPLY_ADDRESS = 'replies@mail.kafedra.test'
const { emailUnread } = await import('#lib/chat/notify-members/unread-email.ts')
const { receiveReply } = await import('#lib/chat/reply/reply.ts')
const { inTenant, pool } = await import('#lib/core/db/db.ts')
const { Refusal } = await import('#lib/core/http/refusal.ts')
const { startInboundServer } = await import('#lib/core/mail/inbound/server.ts')
const { replyAddressOf } = await import('#lib/core/mail/reply-address.ts')
const { closeWorkers } = await import('#lib/core/worker/pool.ts')
const { chatCourse, sendText, startDirect } = await import('../../../setup/chat/conversations.ts')
const { listMessages } = await import('../../../setup/chat/parsed-chat.ts')
const { createTestTenant } = await import('../../../setup/tenants.ts')

let failure: Error | null = null
let server: Awaited<ReturnType<typeof startInboundServer>>
let student: Actor
let conversationId: string
let address: string
beforeAll(async () => {
  server = await startInboundServer({ port: 0, host: '127.0.0.1' }, async (raw, client) => {
    if (failure) throw failure
    await receiveReply(raw, { client })
  })
})
beforeEach(async () => {
  failure = null
  const home = await createTestTenant()
  await chatCourse(home)
  student = home.as.STUDENT
  const domain = student.email.split('@')[1] ?? ''
  dns.records = [{ type: 'TXT', name: domain, data: ['v=spf1 ip4:127.0.0.1 -all'] }]
  conversationId = await startDirect(student, home.as.CURATOR)
  await sendText(home.as.CURATOR, conversationId, 'Добрий день!')
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

const send = (more: { to?: string; text?: string } = {}) =>
  createTransport({ host: '127.0.0.1', port: server.port, ignoreTLS: true }).sendMail({
    from: student.email,
    to: address,
    subject: 'Re: 1 нове повідомлення',
    text: 'Дякую, «зрозуміло»!',
    ...more,
  })
const bodies = async () => (await listMessages(student, { conversationId })).messages.map(({ body }) => body).slice(1)

test('a reply that is delivered by SMTP appears in the conversation', async () => {
  await send()
  expect(await bodies()).toEqual(['Дякую, «зрозуміло»!'])
})

test('other addresses, changed tokens and emails that are too large are refused permanently', async () => {
  const changed = address.replace(/\+(.)/, (_, first) => `+${first === '0' ? '1' : '0'}`)
  for (const to of ['someone@elsewhere.test', 'replies@mail.kafedra.test', changed])
    await expect(send({ to })).rejects.toMatchObject({ responseCode: 550 })
  await expect(send({ text: 'а'.repeat(11_000_000) })).rejects.toMatchObject({ responseCode: 552 })
  expect(await bodies()).toEqual([])
})

test('a sending server tries again after a temporary failure', async () => {
  for (const error of [new Error('no database'), new Refusal('too_many')]) {
    failure = error
    await expect(send()).rejects.toMatchObject({ responseCode: 451 })
  }
  failure = null
  await send()
  expect(await bodies()).toEqual(['Дякую, «зрозуміло»!'])
})
