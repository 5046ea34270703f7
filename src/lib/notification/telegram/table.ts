import { bigint, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck } from '../../core/db/checks.ts'
import { bytes, createdAt, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'

/** The private Telegram chat of a member with the bot of the installation. */
export const telegramChat = pgTable(
  'telegram_chat',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    chatId: bigint({ mode: 'number' }).notNull(),
    // As Telegram displays the account; for the settings page.
    name: text().notNull(),
    linkedAt: createdAt(),
    // The person has blocked the bot.
    blockedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId] }),
    memberKey('telegram_chat_member', [table.tenantId, table.memberId]),
    lengthCheck(table.name, 200),
  ],
)

/** One-time codes of the links by which a member connects a Telegram account. */
export const telegramCode = pgTable(
  'telegram_code',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    codeHash: bytes().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId] }),
    memberKey('telegram_code_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.expiresAt),
  ],
)
