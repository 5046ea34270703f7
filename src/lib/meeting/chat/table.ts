import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck } from '../../core/db/checks.ts'
import { instant, tenantId } from '../../core/db/columns.ts'
import { ROOM_ROLES } from '../../core/shared/event/live-event.ts'
import { tenant } from '../../tenant/table.ts'
import { HOLD_REASONS } from '../../workshop/session/event-schema.ts'
import { sessionKey } from '../../workshop/table.ts'
import { CHAT_MESSAGE_KINDS, CHAT_MESSAGE_STATES, type ChatAnswerView } from './schema.ts'

/** The chat of a session for lists. Projected from the event log in its transaction; can be rebuilt from it. */
export const meetingMessage = pgTable(
  'meeting_message',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: uuid().notNull(),
    sessionId: uuid().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    at: instant().notNull(),
    offsetMs: integer().notNull(),
    kind: text({ enum: CHAT_MESSAGE_KINDS }).notNull(),
    state: text({ enum: CHAT_MESSAGE_STATES }).notNull(),
    holdReason: text({ enum: HOLD_REASONS }),
    authorId: uuid(),
    name: text().notNull(),
    role: text({ enum: ROOM_ROLES }).notNull(),
    text: text().notNull(),
    replyTo: uuid(),
    pinned: boolean().notNull().default(false),
    reactions: jsonb().$type<Record<string, number>>().notNull().default({}),
    answer: jsonb().$type<ChatAnswerView>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.id] }),
    sessionKey('meeting_message_session', [table.tenantId, table.sessionId]),
    index().on(table.tenantId, table.sessionId, table.seq),
    index().on(table.tenantId, table.sessionId, table.kind, table.seq),
    index().on(table.tenantId, table.sessionId, table.authorId, table.at),
    ...enumChecks(table),
    ...countChecks(table.seq),
  ],
)

/** One reaction of a participant to a message. */
export const meetingReaction = pgTable(
  'meeting_reaction',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    messageId: uuid().notNull(),
    personId: uuid().notNull(),
    emoji: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.messageId, table.personId, table.emoji] }),
    sessionKey('meeting_reaction_session', [table.tenantId, table.sessionId]),
    index().on(table.tenantId, table.sessionId, table.personId),
    lengthCheck(table.emoji, 16),
  ],
)
