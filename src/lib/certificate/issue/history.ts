import { type SQL, sql } from 'drizzle-orm'
import type { CertificateState } from '#lib/certificate/state-schema.ts'
import { certificate } from '../table.ts'
import type { HistoryEntry } from './snapshot-schema.ts'

/** An entry of the history of a certificate. `by` is null for automatic changes. */
export const historyEntry = (state: CertificateState, by: string | null, note = ''): HistoryEntry => ({
  at: new Date().toISOString(),
  state,
  by,
  note,
})

/** Appends an entry to the history in the statement that changes the state. */
export const appendHistory = (entry: HistoryEntry): SQL =>
  sql`${certificate.history} || ${JSON.stringify([entry])}::jsonb`
