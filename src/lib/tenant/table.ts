import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from '../core/db/columns.ts'

export const tenant = pgTable('tenant', {
  id: id().primaryKey(),
  subdomain: text().notNull().unique(),
  name: text().notNull(),
  locale: text({ enum: ['uk', 'en'] })
    .notNull()
    .default('uk'),
  timeZone: text().notNull().default('Europe/Kyiv'),
  currency: text().notNull().default('UAH'),
  status: text({ enum: ['active', 'suspended', 'deleted'] })
    .notNull()
    .default('active'),
  primaryColor: text(),
  logoFileId: uuid(),
  createdAt: createdAt(),
})
