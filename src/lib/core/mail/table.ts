import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks } from '../db/checks.ts'
import { createdAt, id, instant } from '../db/columns.ts'

/** A file that goes with a letter. */
export interface Attachment {
  filename: string
  type: string
  /** Base64. */
  content: string
  /** Of a calendar file: REQUEST or CANCEL make mail programs offer to enter it, so it stands among the letter's forms too. */
  method?: 'REQUEST' | 'CANCEL'
}

/** Every letter that leaves, written in the transaction of its cause. Without tenant: letters about an account. */
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
    /** An address that takes a POST of whoever wants no more of these (RFC 8058). */
    unsubscribe: text(),
    // The same cause can't send twice: a second insert with the same key is ignored.
    onceKey: text().unique(),
    status: text({ enum: ['queued', 'sent', 'failed', 'recalled'] })
      .notNull()
      .default('queued'),
    attempts: integer().notNull().default(0),
    error: text(),
    /** Not before: until then it can be recalled. */
    sendAfter: instant(),
    createdAt: createdAt(),
    sentAt: instant(),
  },
  (table) => [
    index().on(table.tenantId, table.createdAt),
    // Few rows at any time: the search for mail whose job was lost reads no others.
    index('mail_queued').on(table.tenantId, table.createdAt).where(sql`status = 'queued'`),
    ...enumChecks(table),
    ...countChecks(table.attempts),
  ],
)
