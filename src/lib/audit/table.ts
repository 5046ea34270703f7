import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck } from '../core/db/checks.ts'
import { createdAt, id, tenantId } from '../core/db/columns.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import type { AuditAction } from './schema.ts'
import type { AuditValues } from './values-schema.ts'

/** Audited actions with their authors and objects. Append-only: a trigger refuses UPDATE, DELETE and TRUNCATE. */
export const auditEntry = pgTable(
  'audit_entry',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    createdAt: createdAt(),
    // The member who acted; null for the system.
    actorId: uuid(),
    // The address of the request; null for jobs and scripts.
    address: text(),
    action: text().$type<AuditAction>().notNull(),
    objectId: uuid().notNull(),
    // The name at the time of the action: the object may be renamed or deleted later.
    objectName: text().notNull(),
    before: jsonb().$type<AuditValues>(),
    after: jsonb().$type<AuditValues>(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('audit_entry_actor', [table.tenantId, table.actorId]),
    index().on(table.tenantId, table.createdAt, table.id),
    index().on(table.tenantId, table.action, table.createdAt, table.id),
    index().on(table.tenantId, table.actorId, table.createdAt, table.id),
    index().on(table.tenantId, table.objectId, table.createdAt, table.id),
    lengthCheck(table.address, 64),
    lengthCheck(table.action, 60),
    lengthCheck(table.objectName, 300),
  ],
)
