import { isNull } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck, rangeCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { MESSAGE_LIMIT } from '../schema.ts'
import { conversationKey } from '../table.ts'
import { REPORT_NOTE_LIMIT, REPORT_OUTCOMES, REPORT_REASONS } from './schema.ts'

/** Reports of members about messages of others. They outlive the message, hence there is no foreign key to it. */
export const chatReport = pgTable(
  'chat_report',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    conversationId: uuid().notNull(),
    seq: integer().notNull(),
    authorId: uuid().notNull(),
    reporterId: uuid().notNull(),
    // The text of the message when it was reported.
    body: text().notNull(),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    note: text().notNull().default(''),
    createdAt: createdAt(),
    resolvedAt: instant(),
    resolvedBy: uuid(),
    outcome: text({ enum: REPORT_OUTCOMES }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.conversationId, table.seq, table.reporterId),
    conversationKey('chat_report_conversation', [table.tenantId, table.conversationId]),
    memberKey('chat_report_author', [table.tenantId, table.authorId]),
    memberKey('chat_report_reporter', [table.tenantId, table.reporterId]),
    memberKey('chat_report_resolved_by', [table.tenantId, table.resolvedBy]),
    index('chat_report_open').on(table.tenantId, table.createdAt, table.id).where(isNull(table.resolvedAt)),
    index().on(table.tenantId, table.authorId),
    index().on(table.tenantId, table.reporterId),
    index().on(table.tenantId, table.resolvedBy),
    ...enumChecks(table),
    rangeCheck(table.seq, 1),
    lengthCheck(table.body, MESSAGE_LIMIT),
    lengthCheck(table.note, REPORT_NOTE_LIMIT),
  ],
)

/** Students who may not take part in the conversation of a course or group, although they have access to the course. */
export const chatBan = pgTable(
  'chat_ban',
  {
    tenantId: tenantId().references(() => tenant.id),
    conversationId: uuid().notNull(),
    memberId: uuid().notNull(),
    bannedBy: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.conversationId, table.memberId] }),
    conversationKey('chat_ban_conversation', [table.tenantId, table.conversationId]),
    memberKey('chat_ban_member', [table.tenantId, table.memberId]),
    memberKey('chat_ban_banned_by', [table.tenantId, table.bannedBy]),
    index().on(table.tenantId, table.memberId),
    index().on(table.tenantId, table.bannedBy),
  ],
)
