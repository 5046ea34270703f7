import path from 'node:path'

/**
 * The migrations of this version of the program. In a separate file, so that a test can replace it by the folder of a
 * later version.
 */
export const MIGRATIONS = path.resolve('src/lib/core/db/migrations')
