import type { PoolConfig } from 'pg'
import type { Config } from '../config/config.ts'
import { socketDirOf } from './embedded-place.ts'

/** Connection options of the database: DATABASE_URL, or the embedded server's socket under the data directory. */
export function connectionOptions(config: Pick<Config, 'databaseUrl' | 'dataDir'>): PoolConfig {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  return { host: socketDirOf(config.dataDir), user: 'kafedra', database: 'kafedra' }
}

/** Options of the pool of connections of the product. */
export function poolOptions(config: Pick<Config, 'databaseUrl' | 'dataDir' | 'databasePool'>): PoolConfig {
  return {
    ...connectionOptions(config),
    max: config.databasePool,
    statement_timeout: 30_000,
    // On solid-state disks: with the default of 4, a search in a small school scans all students. Parallel workers take
    // longer to start than the statement of a page runs.
    options: '-c random_page_cost=1.1 -c max_parallel_workers_per_gather=0',
    idle_in_transaction_session_timeout: 60_000,
    // Also the maximum time to wait for a free connection of the pool.
    connectionTimeoutMillis: 10_000,
  }
}
