import { sql } from 'drizzle-orm'
import { check, pgTable, smallint } from 'drizzle-orm/pg-core'
import { bytes, createdAt } from '../db/columns.ts'

/** Fingerprints of the key by which the installation encrypts; one row. */
export const secretKey = pgTable(
  'secret_key',
  {
    id: smallint().primaryKey().default(1),
    fingerprint: bytes().notNull(),
    // Of the new key, while `npm run rotate-key` has not finished.
    nextFingerprint: bytes(),
    createdAt: createdAt(),
  },
  (table) => [check('secret_key_one', sql`${table.id} = 1`)],
)
