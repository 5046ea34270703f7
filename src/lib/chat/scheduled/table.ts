import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck } from '../../core/db/checks.ts'
import { createdAt, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { MESSAGE_LIMIT } from '../schema.ts'
import { conversationKey } from '../table.ts'
import { SCHEDULED_FAILURES } from './schema.ts'

/** Messages that are sent later. A row is deleted in the transaction that sends it. */
export const chatScheduledMessage = pgTable(
  'chat_scheduled_message',
  {
    tenantId: tenantId().references(() => tenant.id),
    // The id of the message when it is sent.
    id: uuid().notNull(),
    conversationId: uuid().notNull(),
    authorId: uuid().notNull(),
    // Only a message with files may have no text.
    body: text().notNull(),
    // Its file is a recorded voice message.
    isVoice: boolean().notNull().default(false),
    mentions: uuid().array().notNull().default([]),
    // Not checked before it is sent: without the message, which its age has deleted, it is no reply.
    replyToSeq: integer(),
    sendAt: instant().notNull(),
    // Why it was not sent; it waits for the author then.
    failure: text({ enum: SCHEDULED_FAILURES }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    conversationKey('chat_scheduled_message_conversation', [table.tenantId, table.conversationId]),
    memberKey('chat_scheduled_message_author', [table.tenantId, table.authorId]),
    index('chat_scheduled_message_own').on(table.tenantId, table.authorId, table.conversationId),
    index().on(table.tenantId, table.conversationId),
    ...enumChecks(table),
    lengthCheck(table.body, MESSAGE_LIMIT),
  ],
)
