import { randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { keyedDigest } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { type TelegramBot, telegramBot } from './bot.ts'
import { telegramChat, telegramCode } from './table.ts'

const CODE_MS = 15 * MINUTE_MS
const CODE_BYTES = 16

/**
 * Creates a link that connects the Telegram account in which it is opened to the actor, once and within 15 minutes. An
 * earlier link is not valid any more. Refuses with not_found without a bot, unavailable when Telegram does not respond.
 */
export async function createTelegramLink(
  actor: Actor,
  bot: TelegramBot | null = telegramBot(),
): Promise<{ url: string }> {
  if (!bot) throw new Refusal('not_found')
  const name = await bot.readName()
  if (!name) throw new Refusal('unavailable')
  const code = randomBytes(CODE_BYTES)
  const values = { codeHash: hashOf(code), expiresAt: new Date(Date.now() + CODE_MS), createdAt: new Date() }
  await inTenant(actor, (tx) =>
    tx
      .insert(telegramCode)
      .values({ tenantId: actor.tenantId, memberId: actor.membershipId, ...values })
      .onConflictDoUpdate({ target: [telegramCode.tenantId, telegramCode.memberId], set: values }),
  )
  // The tenant is part of the code: the bot has one chat for all schools. Telegram allows 64 characters.
  const parameter = Buffer.concat([Buffer.from(actor.tenantId.replaceAll('-', ''), 'hex'), code]).toString('base64url')
  return { url: `https://t.me/${name}?start=${parameter}` }
}

/** Disconnects the Telegram account of the actor; without one it changes nothing. */
export function unlinkTelegram(actor: Actor): Promise<void> {
  return inTenant(actor, async (tx) => {
    const { tenantId, membershipId } = actor
    await Promise.all([
      tx.delete(telegramChat).where(and(eq(telegramChat.tenantId, tenantId), eq(telegramChat.memberId, membershipId))),
      tx.delete(telegramCode).where(and(eq(telegramCode.tenantId, tenantId), eq(telegramCode.memberId, membershipId))),
    ])
  })
}

/**
 * Connects the chat in which a link was opened to the member of its code. Returns whether the code was valid; it can be
 * used once.
 */
export async function linkTelegramChat(
  { parameter, chatId, name }: { parameter: string; chatId: number; name: string },
  now = new Date(),
): Promise<boolean> {
  const bytes = Buffer.from(parameter, 'base64url')
  if (!/^[\w-]{43}$/.test(parameter) || bytes.length !== 16 + CODE_BYTES) return false
  const hex = bytes.subarray(0, 16).toString('hex')
  const tenantId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (!UUID_PATTERN.test(tenantId)) return false
  return inTenant({ tenantId }, async (tx) => {
    const [used] = await tx
      .delete(telegramCode)
      .where(
        and(
          eq(telegramCode.tenantId, tenantId),
          eq(telegramCode.codeHash, hashOf(bytes.subarray(16))),
          gt(telegramCode.expiresAt, now),
        ),
      )
      .returning({ memberId: telegramCode.memberId })
    if (!used) return false
    const values = { chatId, name: name.slice(0, 200), linkedAt: now, blockedAt: null }
    await tx
      .insert(telegramChat)
      .values({ tenantId, memberId: used.memberId, ...values })
      .onConflictDoUpdate({ target: [telegramChat.tenantId, telegramChat.memberId], set: values })
    return true
  })
}

const hashOf = (code: Buffer): Buffer => keyedDigest('telegram-link', code.toString('hex'))
