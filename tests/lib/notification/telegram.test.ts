import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { DueMessage } from '#lib/notification/delivery/delivery-result.ts'
import { notificationDelivery } from '#lib/notification/delivery/table.ts'
import { notify } from '#lib/notification/notify.ts'
import { getNotificationSettings } from '#lib/notification/settings/settings.ts'
import { createBot, type TelegramBot } from '#lib/notification/telegram/bot.ts'
import { createTelegramLink, linkTelegramChat, unlinkTelegram } from '#lib/notification/telegram/link.ts'
import { sendTelegram } from '#lib/notification/telegram/send-telegram.ts'
import { readTelegramUpdates } from '#lib/notification/telegram/updates.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const TOKEN = '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi'

/** The Bot API: updates stay until a higher offset is requested, errors as documented. */
class BotApi {
  sent: { chat_id: number; text: string; reply_markup?: object }[] = []
  blocked = new Set<number>()
  retryAfter = 0
  private updates: { update_id: number; message: object }[] = []
  private readonly server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    const answer = this.handle(request.url ?? '', body)
    response.writeHead(answer.error_code ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })

  async start(): Promise<TelegramBot> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return createBot({ token: TOKEN, apiUrl: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}` })
  }

  stop = () => new Promise((resolve) => this.server.close(resolve))

  write(chatId: number, text: string, type = 'private'): void {
    const message = { text, chat: { id: chatId, type }, from: { first_name: 'Оля', username: 'olia' } }
    this.updates.push({ update_id: 100 + this.updates.length, message })
  }

  private handle(url: string, body: { offset?: number; chat_id?: number; text?: string }) {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(url) ?? []
    if (token !== TOKEN) return { ok: false, error_code: 401, description: 'Unauthorized' }
    if (method === 'getMe') return { ok: true, result: { id: 1, username: 'kafedra_bot' } }
    if (method === 'getUpdates') {
      this.updates = this.updates.filter(({ update_id: id }) => id >= (body.offset ?? 0))
      return { ok: true, result: this.updates }
    }
    if (this.retryAfter > 0)
      return {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests',
        parameters: { retry_after: this.retryAfter },
      }
    if (this.blocked.has(body.chat_id ?? 0))
      return { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' }
    this.sent.push({ chat_id: body.chat_id ?? 0, text: body.text ?? '', ...body })
    return { ok: true, result: { message_id: this.sent.length } }
  }
}

let home: TestTenant
let other: TestTenant
let student: Actor
let api: BotApi
let bot: TelegramBot
beforeEach(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  student = home.as.STUDENT
  api = new BotApi()
  bot = await api.start()
})
afterEach(() => api.stop())

const NEVER = new AbortController().signal
const link = async (actor: Actor, chatId = 77) => {
  const { url } = await createTelegramLink(actor, bot)
  api.write(chatId, `/start ${new URL(url).searchParams.get('start')}`)
  await readTelegramUpdates(NEVER, bot, 50)
  return url
}
const telegramOf = async (actor: Actor) => (await getNotificationSettings(actor)).telegram

test('a link connects the account in which it is opened, once', async () => {
  const url = await link(student)
  expect(url).toMatch(/^https:\/\/t\.me\/kafedra_bot\?start=[\w-]{43}$/)
  expect(await telegramOf(student)).toMatchObject({ name: '@olia', isBlocked: false })
  const parameter = new URL(url).searchParams.get('start') ?? ''
  expect(await linkTelegramChat({ parameter, chatId: 78, name: 'x' })).toBe(false)
  expect(api.sent.map(({ chat_id: chatId }) => chatId)).toEqual([77])
  await readTelegramUpdates(NEVER, bot, 50)
  expect(api.sent).toHaveLength(1)
})

test('old, replaced and invented codes, groups and other schools connect nothing', async () => {
  const first = new URL((await createTelegramLink(student, bot)).url).searchParams.get('start') ?? ''
  const second = new URL((await createTelegramLink(student, bot)).url).searchParams.get('start') ?? ''
  const late = new Date(Date.now() + 16 * 60_000)
  const tenantBytes = Buffer.from(other.tenant.id.replaceAll('-', ''), 'hex')
  const moved = Buffer.concat([tenantBytes, Buffer.from(second, 'base64url').subarray(16)]).toString('base64url')
  for (const parameter of [first, moved, '', 'x'.repeat(43), `${second}x`])
    expect(await linkTelegramChat({ parameter, chatId: 1, name: 'x' })).toBe(false)
  expect(await linkTelegramChat({ parameter: second, chatId: 1, name: 'x' }, late)).toBe(false)
  api.write(5, `/start ${second}`, 'group')
  await readTelegramUpdates(NEVER, bot, 50)
  expect(await telegramOf(student)).toMatchObject({ name: null })
  expect(api.sent).toEqual([])
})

async function due(actor: Actor): Promise<DueMessage> {
  const { membershipId: memberId, locale } = actor
  await inTenant(actor, (tx) =>
    notify(tx, {
      kind: 'homework_accepted',
      memberIds: [memberId],
      key: `k${Math.random()}`,
      data: { subject: 'Ескіз' },
      link: '/courses',
    }),
  )
  const rows = await inTenant(actor, (tx) => tx.select().from(notificationDelivery))
  const receiver = {
    memberId,
    accountType: actor.accountType,
    email: actor.email,
    firstName: '',
    locale,
    timeZone: 'UTC',
  }
  const school = { tenantId: home.tenant.id, name: 'Школа', subdomain: home.tenant.subdomain }
  return { school, receiver, rows: rows.filter(({ channel }) => channel === 'telegram'), now: new Date() }
}
const send = async (message: DueMessage) => inTenant(student, (tx) => sendTelegram(tx, message, bot))

test('a notification is sent to the connected account with a button, and not after it was disconnected', async () => {
  await link(student)
  const message = await due(student)
  expect(await send(message)).toEqual({ outcome: 'sent' })
  expect(api.sent.at(-1)).toMatchObject({ chat_id: 77, text: 'Роботу прийнято: Ескіз\nШкола' })
  await unlinkTelegram(student)
  expect(await send(message)).toEqual({ outcome: 'skipped' })
  expect((await due(student)).rows).toHaveLength(1)
})

test('a message about a moved time has the new and the previous time with the time zone of the person', async () => {
  await link(student)
  const message = await due(student)
  message.receiver.timeZone = 'Europe/Kyiv'
  const times = { at: '2026-10-25T17:00:00.000Z', previousAt: '2026-10-24T16:00:00.000Z' }
  message.rows = message.rows.map((row) => ({ ...row, data: { ...row.data, ...times } }))
  await send(message)
  expect(api.sent.at(-1)?.text.split('\n').slice(1)).toEqual([
    'неділя, 25 жовтня 2026 р. о 19:00 (за Києвом)',
    'Було: субота, 24 жовтня 2026 р. о 19:00 (за Києвом)',
    'Школа',
  ])
})

test('a person who has blocked the bot is marked, gets nothing, and can connect again', async () => {
  await link(student)
  const message = await due(student)
  api.blocked.add(77)
  expect(await send(message)).toEqual({ outcome: 'skipped' })
  expect(await telegramOf(student)).toMatchObject({ name: '@olia', isBlocked: true })
  api.blocked.clear()
  await link(student)
  expect(await send(message)).toEqual({ outcome: 'sent' })
})

test('after 429 nothing is sent before retry_after', async () => {
  await link(student)
  const message = await due(student)
  api.retryAfter = 30
  expect(await send(message)).toMatchObject({ outcome: 'retry', retryAfterMs: 30_000 })
  api.retryAfter = 0
  expect(await send(message)).toMatchObject({ outcome: 'postponed' })
  const later = { ...message, now: new Date(message.now.getTime() + 31_000) }
  expect(await send(later)).toEqual({ outcome: 'sent' })
  expect(api.sent.filter(({ text }) => text.includes('Ескіз'))).toHaveLength(1)
})

test('a wrong token and a server that does not respond are temporary failures without the token in the error', async () => {
  await api.stop()
  const outcome = await bot.send(77, { text: 'x' })
  expect(outcome.outcome).toBe('failed')
  expect(JSON.stringify(outcome)).not.toContain(TOKEN)
})
