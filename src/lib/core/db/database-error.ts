import pg from 'pg'

/** Whether a statement failed because a unique constraint has the value already (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): boolean => databaseErrorOf(error)?.code === '23505'

/** Whether a lock was not obtained within `lock_timeout` (SQLSTATE 55P03). */
export const isLockTimeout = (error: unknown): boolean => databaseErrorOf(error)?.code === '55P03'

/** Whether a statement was rejected because its transaction is read-only (SQLSTATE 25006). */
export const isReadOnlyViolation = (error: unknown): boolean => databaseErrorOf(error)?.code === '25006'

/** Whether a newer version of the program has migrated the tables of a prepared statement: its connection is closed. */
export const isOutdatedPlan = (error: unknown): error is Error =>
  databaseErrorOf(error)?.message.includes('cached plan must not change result type') === true

// The error of a query has that of the database as its cause.
function databaseErrorOf(error: unknown): pg.DatabaseError | null {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof pg.DatabaseError ? cause : null
}
