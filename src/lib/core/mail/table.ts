import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks } from '../db/checks.ts'
import { createdAt, id, instant } from '../db/columns.ts'

/** A file attached to an email. */
export interface Attachment {
  filename: string
  type: string
  /** Base64. */
  content: string
  /** Of a calendar file: REQUEST or CANCEL make mail programs offer to add the event, so it is an alternative part of the email too. */
  method?: 'REQUEST' | 'CANCEL'
}

/** The outbox: every email, written in the transaction of its cause. Emails about an account have no tenant. */
export const mail = pgTable(
  'mail',
  {
    id: id().primaryKey(),
    tenantId: uuid(),
    to: text().notNull(),
    locale: text({ enum: ['uk', 'en'] }).notNull(),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    attachments: jsonb().$type<Attachment[]>(),
    /** The URL by which the recipient can unsubscribe with POST (RFC 8058). */
    unsubscribe: text(),
    /** A reply is received by the installation instead of the school. */
    acceptsReplies: boolean().notNull().default(false),
    // A second insert with the same key is ignored, so that one cause sends one email.
    onceKey: text().unique(),
    /** `delivered` was confirmed by the recipient's server, `bounced` was refused because of the address. */
    status: text({ enum: ['queued', 'sent', 'delivered', 'bounced', 'failed', 'recalled'] })
      .notNull()
      .default('queued'),
    attempts: integer().notNull().default(0),
    error: text(),
    /** Not sent before; until then it can be recalled. */
    sendAfter: instant(),
    createdAt: createdAt(),
    sentAt: instant(),
  },
  (table) => [
    index().on(table.tenantId, table.createdAt),
    index().on(table.tenantId, table.to, table.createdAt),
    // A small partial index: the search for emails whose job was lost reads only these rows.
    index('mail_queued').on(table.tenantId, table.createdAt).where(sql`status = 'queued'`),
    ...enumChecks(table),
    ...countChecks(table.attempts),
  ],
)
