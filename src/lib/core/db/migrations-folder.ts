import path from 'node:path'

/** The migrations of this version of the program. A file of its own, so that a test can name a later version's folder. */
export const MIGRATIONS = path.resolve('src/lib/core/db/migrations')
