import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * The folder of an installed PostgreSQL older than the one from npm, with which a test runs the migrations: from a
 * package of Debian or Ubuntu, installed by apt when there is none. Throws with instructions.
 */
export function bringOldPostgres(): string {
  const installed = findOldPostgres()
  if (installed) return installed
  if (process.getuid?.() === 0) {
    for (const command of WAYS) {
      console.log(`No PostgreSQL 15 to 17: apt-get ${command.join(' ')}`)
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      spawnSync('apt-get', command, { stdio: ['ignore', 'inherit', 'inherit'], env, timeout: 300_000 })
      const added = findOldPostgres()
      if (added) return added
    }
  }
  throw new Error('No PostgreSQL 15 to 17. Install it (Debian: apt-get install postgresql).')
}

/** The folder of the oldest installed version that the product supports, or undefined. */
const findOldPostgres = (): string | undefined =>
  [15, 16, 17].map((version) => `/usr/lib/postgresql/${version}`).find((folder) => existsSync(`${folder}/bin/postgres`))

const WAYS = [
  ['install', '-y', '--no-install-recommends', 'postgresql'],
  ['update'],
  ['install', '-y', '--no-install-recommends', 'postgresql'],
]
