import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, instant, tenantId } from '../core/db/columns.ts'
import type { RequestingActor } from '../core/shared/actor.ts'
import { LOCALES } from '../core/shared/locale.ts'
import {
  MESSAGE_OBJECTS,
  OUTGOING_MESSAGE_KINDS,
  OUTGOING_MESSAGE_STATES,
  RECIPIENT_STATES,
} from '../core/shared/outgoing-message.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'

/** An email to more than one person, including drafts. */
export const outgoingMessage = pgTable(
  'outgoing_message',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: uuid().notNull(),
    kind: text({ enum: OUTGOING_MESSAGE_KINDS }).notNull(),
    state: text({ enum: OUTGOING_MESSAGE_STATES }).notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    /** Of an email of an event: its kind, which determines the template. */
    template: text(),
    /** The author; null for the system. */
    by: uuid(),
    /** The actor of the job; null when the system sends. */
    actor: jsonb().$type<RequestingActor>(),
    /** The group, course or event to which it is related. */
    objectType: text({ enum: MESSAGE_OBJECTS }),
    objectId: uuid(),
    /** Increases with every change of the text; a change that is based on an older one is refused. */
    revision: integer().notNull().default(1),
    recipientCount: integer().notNull().default(0),
    sentCount: integer().notNull().default(0),
    deliveredCount: integer().notNull().default(0),
    bouncedCount: integer().notNull().default(0),
    failedCount: integer().notNull().default(0),
    createdAt: createdAt(),
    /** When sending starts; until then it can be recalled completely. */
    sendAt: instant(),
    sentAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('outgoing_message_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.by),
    index().on(table.tenantId, table.createdAt, table.id),
    index().on(table.tenantId, table.state, table.createdAt, table.id),
    index().on(table.tenantId, table.objectId, table.createdAt, table.id),
    ...enumChecks(table),
    ...countChecks(table.recipientCount, table.sentCount, table.deliveredCount, table.bouncedCount, table.failedCount),
    ...versionChecks(table.revision),
    lengthCheck(table.subject, 300),
    lengthCheck(table.text, 5000),
    lengthCheck(table.template, 40),
  ],
)

/** One recipient of a message. Triggers of `mail` update the state while the email is delivered. */
export const outgoingRecipient = pgTable(
  'outgoing_recipient',
  {
    tenantId: tenantId().references(() => tenant.id),
    messageId: uuid().notNull(),
    /** The student or the registration. */
    id: uuid().notNull(),
    email: text().notNull(),
    name: text().notNull(),
    locale: text({ enum: LOCALES }).notNull(),
    state: text({ enum: RECIPIENT_STATES }).notNull(),
    /** The reason of a failure or bounce: a key of `outbox:reason`, or the reply of a mail server. */
    reason: text(),
    mailId: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.messageId, table.id] }),
    foreignKey({
      name: 'outgoing_recipient_message',
      columns: [table.tenantId, table.messageId],
      foreignColumns: [outgoingMessage.tenantId, outgoingMessage.id],
    }).onDelete('cascade'),
    index().on(table.tenantId, table.messageId, table.state, table.id),
    index().on(table.tenantId, table.id),
    index().on(table.mailId),
    ...enumChecks(table),
    lengthCheck(table.email, 254),
    lengthCheck(table.name, 300),
    lengthCheck(table.reason, 500),
  ],
)
