import { type AnyPgColumn, customType, foreignKey, timestamp, uuid } from 'drizzle-orm/pg-core'
import { newId } from './id.ts'

/** An instant: `timestamptz`, a Date in code. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' })

/** Bytes, e.g. the digest of a token: `bytea`, a Buffer in code. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

export const id = () => uuid().notNull().$defaultFn(newId)

export const tenantId = () => uuid().notNull()

export const createdAt = () => instant().notNull().defaultNow()

/**
 * Composite foreign keys that reference rows of the same tenant: `const fileKey = keyTo(file)`, then `fileKey(name,
 * columns)`.
 */
export const keyTo =
  (target: { tenantId: AnyPgColumn; id: AnyPgColumn }) =>
  (name: string, columns: Parameters<typeof foreignKey>[0]['columns']) =>
    foreignKey({ name, columns, foreignColumns: [target.tenantId, target.id] })
