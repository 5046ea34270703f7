import { bigint, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, tenantId } from '../core/db/columns.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'

/** A stored file. Its bytes lie in the object store under `<tenant>/<id>`. */
export const file = pgTable(
  'file',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    name: text().notNull(),
    mime: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    sha256: text().notNull(),
    ownerId: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('file_owner', [table.tenantId, table.ownerId]),
  ],
)
