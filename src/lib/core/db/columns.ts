import { customType, timestamp, uuid } from 'drizzle-orm/pg-core'
import { newId } from './id.ts'

/** An instant: `timestamptz`, a Date in code. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' })

/** Bytes, e.g. the digest of a token: `bytea`, a Buffer in code. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

export const id = () => uuid().notNull().$defaultFn(newId)

export const tenantId = () => uuid().notNull()

export const createdAt = () => instant().notNull().defaultNow()
