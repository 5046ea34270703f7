import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { InstantKey } from '../http/cursor.ts'

/** The instant of a cursor as SQL, with its microseconds. */
export const instantOfKey = ({ at }: { at: string }): SQL =>
  sql`('epoch'::timestamptz + ${at}::bigint * interval '1 microsecond')`

/** Instant and id of a cursor as a row, to be compared with both columns: `(created_at, id) < ${rowOfKey(after)}`. */
export const rowOfKey = (key: InstantKey): SQL => sql`(${instantOfKey(key)}, ${key.id}::uuid)`

/** An instant in microseconds since 1970, for `at` of a cursor. */
export const microsecondsOf = (instant: SQLWrapper): SQL<string> =>
  sql<string>`(extract(epoch from ${instant}) * 1000000)::bigint::text`
