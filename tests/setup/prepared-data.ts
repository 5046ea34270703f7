import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { clusterDirOf } from '#lib/core/db/embedded-place.ts'

/** Names the data directory of a stopped product with its demo school, which other products of a test run start from. */
export const PREPARED_DATA_VARIABLE = 'TEST_PREPARED_DATA'

/**
 * Fills an empty data directory with a copy of the prepared one, if there is one: creating a database and a demo school
 * takes most of the time of a start.
 */
export function copyPreparedData(dataDir: string): void {
  const prepared = process.env[PREPARED_DATA_VARIABLE]
  if (!prepared || fs.readdirSync(dataDir).length > 0) return
  copyContents(prepared, dataDir)
  const cluster = clusterDirOf(prepared)
  // Where PostgreSQL cannot access the directory of temporary files, its cluster is stored outside.
  if (!cluster.startsWith(`${prepared}${path.sep}`)) copyContents(cluster, clusterDirOf(dataDir))
}

// Preserves owner and permissions, which PostgreSQL checks.
function copyContents(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true })
  execFileSync('cp', ['-Rp', `${from}/.`, to])
}
