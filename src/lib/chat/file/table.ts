import { isNotNull, sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, primaryKey, unique, uuid } from 'drizzle-orm/pg-core'
import { countChecks } from '../../core/db/checks.ts'
import { createdAt, id, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { chatScheduledMessage } from '../scheduled/table.ts'
import { chatMessageKey, conversationKey } from '../table.ts'

/**
 * The files of messages. Without `seq` and `scheduledId` a file has been uploaded for a message that does not exist yet. A
 * file has one row for each message that has it: the first one, and those by which it was forwarded. It is deleted with the
 * last row.
 */
export const chatFile = pgTable(
  'chat_file',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    // The id of the upload and of the file in the storage.
    fileId: uuid().notNull(),
    conversationId: uuid().notNull(),
    // Who uploaded it, also where others forwarded it.
    uploaderId: uuid().notNull(),
    seq: integer(),
    // The planned message, until it is sent.
    scheduledId: uuid(),
    position: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique('chat_file_once').on(table.tenantId, table.fileId, table.conversationId, table.seq).nullsNotDistinct(),
    conversationKey('chat_file_conversation', [table.tenantId, table.conversationId]),
    chatMessageKey('chat_file_message', [table.tenantId, table.conversationId, table.seq]),
    foreignKey({
      name: 'chat_file_scheduled',
      columns: [table.tenantId, table.scheduledId],
      foreignColumns: [chatScheduledMessage.tenantId, chatScheduledMessage.id],
    }),
    memberKey('chat_file_uploader', [table.tenantId, table.uploaderId]),
    index().on(table.tenantId, table.conversationId, table.seq),
    index().on(table.tenantId, table.uploaderId),
    index('chat_file_scheduled_index').on(table.tenantId, table.scheduledId).where(isNotNull(table.scheduledId)),
    index('chat_file_unsent').on(table.tenantId, table.createdAt).where(sql`seq is null and scheduled_id is null`),
    check('chat_file_message_or_scheduled', sql`seq is null or scheduled_id is null`),
    ...countChecks(table.position),
  ],
)
