import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { TestTenant } from '../../../setup/tenants.ts'

// The configuration is read once, so it is set before any module of the product is loaded.
const SECRET = 'secret-of-the-mail-server-0123456789'
process.env.MAIL_REPLY_ADDRESS = 'replies@mail.kafedra.test'
process.env.MAIL_REPORT_SECRET = SECRET
process.env.MAIL_AUTHSERV_ID = 'mx.kafedra.test'
// Nothing answers: signatures cannot be checked.
process.env.DNS_SERVERS = '127.0.0.1:9'
const { createOtherTenant, createTestTenant } = await import('../../../setup/tenants.ts')
const { chatCourse, sendText, startDirect } = await import('../../../setup/chat/conversations.ts')
const { listMessages } = await import('../../../setup/chat/parsed-chat.ts')
const { startMailServer } = await import('../../../setup/servers/mail-server.ts')
const { emailUnread } = await import('#lib/chat/notify-members/unread-email.ts')
const { receiveReply } = await import('#lib/chat/reply/reply.ts')
const { inTenant, pool } = await import('#lib/core/db/db.ts')
const { replyAddressOf } = await import('#lib/core/mail/reply-address.ts')
const { closeWorkers } = await import('#lib/core/worker/pool.ts')
const { POST } = await import('../../../../src/pages/v1/replies.ts')

let home: TestTenant
let student: Actor
let curator: Actor
let conversationId: string
let address: string
let server: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  server = await startMailServer()
})
beforeEach(async () => {
  home = await createTestTenant()
  await chatCourse(home)
  student = home.as.STUDENT
  curator = home.as.CURATOR
  conversationId = await startDirect(student, curator)
  await sendText(curator, conversationId, 'Добрий день! Як просувається робота?')
  await emailUnread({ tenantId: home.tenant.id, conversationId, fromSeq: 1 })
  address = await replyAddress(student)
})
afterAll(async () => {
  closeWorkers()
  await server.stop()
  await pool.end()
})

async function replyAddress(receiver: Actor): Promise<string> {
  const { rows } = await inTenant(receiver, (tx) =>
    tx.execute<{ id: string; text: string }>(`select id, text from mail where "to" = '${receiver.email}'
      and accepts_replies order by created_at desc limit 1`),
  )
  expect(rows[0]?.text).toContain('Можна відповісти просто на цей лист')
  return replyAddressOf({ id: rows[0]?.id ?? '', tenantId: receiver.tenantId }) ?? ''
}

const QUOTED = 'Вт, 24 лист. 2026 р. о 20:00 Школа <no-reply@kafedra.test> пише:\r\n\r\n> Добрий день!\r\n> Як?\r\n'
const raw = (text: string, more: Record<string, string> = {}) => {
  const headers = {
    From: `Студентка <${student.email}>`,
    To: address,
    'Message-ID': '<reply-1@mail.test>',
    'Content-Type': 'text/plain; charset=utf-8',
    'Authentication-Results': `mx.kafedra.test; spf=pass smtp.mailfrom=${student.email}`,
    ...more,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}
const bodies = async () => (await listMessages(student, { conversationId })).messages.map(({ body }) => body).slice(1)
const refusals = async () => {
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ text: string }>(`select text from mail where once_key like 'chat/reply-refused/%'`),
  )
  return rows.map(({ text }) => text)
}

test('a reply that was sent by SMTP appears in the conversation without the quoted email', async () => {
  const transport = createTransport(server.url)
  const html = `<div>Майже готово!</div><br><div class="gmail_quote">${'Школа пише: <blockquote>Добрий день</blockquote>'}</div>`
  const text = `Майже готово!\n\nНадішлю завтра.\n\n${QUOTED}`
  await transport.sendMail({ from: student.email, to: address, subject: 'Re: 1 нове повідомлення', text, html })
  const received = await server.waitForMail(address)
  // As the mail server of the installation: it posts what it receives.
  const source = raw(received.text ?? '', { 'Message-ID': received.messageId ?? '' })
  const post = (authorization: string) =>
    POST({
      request: new Request('http://kafedra.test/v1/replies', {
        method: 'POST',
        headers: { authorization },
        body: source,
      }),
    } as Parameters<typeof POST>[0])
  await expect(post('Bearer wrong')).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await post(`Bearer ${SECRET}`)).status).toBe(204)
  expect(await bodies()).toEqual(['Майже готово!\n\nНадішлю завтра.'])
})

test('the same reply delivered twice, also at the same time, is one message', async () => {
  await Promise.all([receiveReply(raw('Так')), receiveReply(raw('Так'))])
  await receiveReply(raw('Так'))
  expect(await bodies()).toEqual(['Так'])
  await receiveReply(raw('Так', { 'Message-ID': '<reply-2@mail.test>' }))
  expect(await bodies()).toEqual(['Так', 'Так'])
})

test('an HTML reply without a text part is posted too', async () => {
  const html = '<html><body><div>Так,&nbsp;<b>готово</b></div><blockquote>Добрий день</blockquote></body></html>'
  await receiveReply(raw(html, { 'Content-Type': 'text/html; charset=utf-8' }))
  expect(await bodies()).toEqual([expect.stringMatching(/^Так,.*готово\*{0,2}$/)])
})

test('replies of others, forged tokens and automatic responses are ignored', async () => {
  await receiveReply(raw('Чужий', { From: curator.email }))
  await receiveReply(raw('Двоє', { From: `${student.email}, ${curator.email}` }))
  await receiveReply(raw('Немає', { From: '' }))
  await receiveReply(raw('Підробка', { To: address.replace(/\+(.)/, (_, first) => `+${first === '0' ? '1' : '0'}`) }))
  await receiveReply(raw('Відпустка', { 'Auto-Submitted': 'auto-replied' }))
  await receiveReply(raw('Розсилка', { Precedence: 'bulk' }))
  const other = await createOtherTenant()
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ id: string }>(`select id from mail where accepts_replies and "to" = '${student.email}'`),
  )
  const foreign = replyAddressOf({ id: rows[0]?.id ?? '', tenantId: other.tenant.id }) ?? ''
  await receiveReply(raw('Інша школа', { To: foreign }))
  expect(await bodies()).toEqual([])
  expect(await refusals()).toEqual([])
})

test('a reply that cannot be posted is refused by one email with the reason', async () => {
  await receiveReply(raw(QUOTED))
  await receiveReply(raw(QUOTED))
  await receiveReply(raw('слово '.repeat(800), { 'Message-ID': '<long@mail.test>' }))
  const later = new Date(Date.now() + 31 * 86_400_000)
  await receiveReply(raw('Пізно', { 'Message-ID': '<late@mail.test>' }), { now: later })
  expect(await bodies()).toEqual([])
  const texts = await refusals()
  expect(texts).toHaveLength(3)
  for (const reason of ['немає нового тексту', '4000 знаків', '30 днів'])
    expect(texts.some((text) => text.includes(reason))).toBe(true)
})

test('a reply that is too large is refused, and too many are', async () => {
  await expect(receiveReply('x'.repeat(20 * 1024 * 1024 + 1))).rejects.toMatchObject({ code: 'too_large' })
  for (let n = 0; n < 30; n += 1) await receiveReply(raw(`${n}`, { 'Message-ID': `<n${n}@mail.test>` }))
  await expect(receiveReply(raw('ще'))).rejects.toMatchObject({ code: 'too_many' })
})

test('attachments within the limit become files of the message, and the sender reads the names of the others', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const attachments = Array.from({ length: 11 }, (_, index) => ({
    filename: `знімок ${index + 1}.png`,
    // Files with the same content are stored once.
    content: Buffer.concat([png, Buffer.from([index])]),
  }))
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await composer.sendMail({
    from: student.email,
    to: address,
    subject: 'Re: 1 нове повідомлення',
    messageId: '<files@mail.test>',
    headers: { 'Authentication-Results': `mx.kafedra.test; spf=pass smtp.mailfrom=${student.email}` },
    text: 'Ось знімки',
    attachments,
  })
  await receiveReply(message as Buffer)
  const reply = (await listMessages(student, { conversationId })).messages.at(-1)
  expect(reply?.body).toBe('Ось знімки')
  expect(reply?.files.map(({ name }) => name)).toEqual(attachments.slice(0, 10).map(({ filename }) => filename))
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ to: string; text: string }>(`select "to", text from mail where once_key like 'chat/reply-files/%'`),
  )
  expect(rows).toEqual([{ to: student.email, text: expect.stringContaining('знімок 11.png') }])
  expect(rows[0]?.text).not.toContain('знімок 10.png')
})

test('an attachment for which there is no space is named to the sender, and the text is kept', async () => {
  await inTenant(student, (tx) =>
    tx.execute(`insert into storage_use (tenant_id, original) values (current_tenant(), ${10 ** 15})
      on conflict (tenant_id) do update set original = excluded.original`),
  )
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await composer.sendMail({
    from: student.email,
    to: address,
    subject: 'Re: 1 нове повідомлення',
    messageId: '<full@mail.test>',
    headers: { 'Authentication-Results': `mx.kafedra.test; spf=pass smtp.mailfrom=${student.email}` },
    text: 'Ось звіт за місяць',
    attachments: [{ filename: 'звіт.txt', content: 'Багато рядків' }],
  })
  await receiveReply(message as Buffer)
  await receiveReply(message as Buffer)
  const answers = (await listMessages(curator, { conversationId })).messages.slice(1)
  expect(answers).toMatchObject([{ body: 'Ось звіт за місяць', files: [] }])
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ to: string; text: string }>(`select "to", text from mail where once_key like 'chat/reply-files/%'`),
  )
  expect(rows).toEqual([{ to: student.email, text: expect.stringContaining('звіт.txt') }])
})
