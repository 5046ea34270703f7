import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck } from '../core/db/checks.ts'
import { createdAt, id } from '../core/db/columns.ts'

export const tenant = pgTable(
  'tenant',
  {
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
  },
  (table) => [
    ...enumChecks(table),
    lengthCheck(table.subdomain, 63),
    lengthCheck(table.name, 120),
    lengthCheck(table.timeZone, 64),
    lengthCheck(table.currency, 3),
  ],
)
