import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { pageUrlOf } from '../compose.ts'
import type { DeliveryResult, DueMessage } from '../delivery/delivery-result.ts'
import { groupLines } from '../delivery/group-lines.ts'
import { type TelegramBot, type TelegramMessage, telegramBot } from './bot.ts'
import { telegramChat } from './table.ts'

const MAX_LINES = 20
/** Telegram accepts 4,096 characters. */
const MAX_TEXT = 4000

// After a 429 no message is sent before this time: the limit applies to the whole bot.
let pausedUntil = 0

/** Sends one Telegram message about all notifications that are due. A person who has blocked the bot is omitted. */
export async function sendTelegram(
  tx: Tx,
  message: DueMessage,
  bot: TelegramBot | null = telegramBot(),
): Promise<DeliveryResult> {
  const { receiver, now } = message
  const [chat] = await tx
    .select({ chatId: telegramChat.chatId })
    .from(telegramChat)
    .where(and(isOfMember(receiver.memberId), isNull(telegramChat.blockedAt)))
  if (!bot || !chat) return { outcome: 'skipped' }
  if (now.getTime() < pausedUntil) return { outcome: 'postponed', until: new Date(pausedUntil) }
  const result = await bot.send(chat.chatId, composeTelegram(message))
  if (result.outcome === 'sent') return { outcome: 'sent' }
  if (result.outcome === 'refused') return { outcome: 'skipped' }
  if (result.outcome === 'blocked') {
    await tx.update(telegramChat).set({ blockedAt: now }).where(isOfMember(receiver.memberId))
    return { outcome: 'skipped' }
  }
  const { error, retryAfterMs } = result
  if (retryAfterMs) pausedUntil = Math.max(pausedUntil, now.getTime() + retryAfterMs)
  return { outcome: 'retry', error, ...(retryAfterMs && { retryAfterMs }) }
}

const isOfMember = (memberId: string) =>
  and(eq(telegramChat.tenantId, sql`current_tenant()`), eq(telegramChat.memberId, memberId))

function composeTelegram({ school, receiver, rows }: DueMessage): TelegramMessage {
  const t = getTranslator(receiver.locale)
  const lines = groupLines(t, rows, receiver)
  const [only] = lines.length === 1 ? lines : []
  const shown = lines.slice(-MAX_LINES).reverse()
  const title = only ? only.title : t('notification:digest.subject', { count: lines.length })
  const more = only
    ? [only.context ?? '', ...only.times]
    : shown.map((line) => `• ${[line.title, ...line.times].join(' · ')}`)
  return {
    text: [title, ...more, school.name].filter(Boolean).join('\n').slice(0, MAX_TEXT),
    button: {
      label: t(only ? 'notification:email.open' : 'notification:digest.open'),
      url: pageUrlOf(school, receiver.accountType, only ? only.link : '/notifications'),
    },
  }
}
