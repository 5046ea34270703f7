import type { PoolConfig } from 'pg'
import type { Config } from '../config/config.ts'
import { socketDirOf } from './embedded-place.ts'

/** Connection options of the database: DATABASE_URL, or the embedded server's socket under the data directory. */
export function connectionOptions(config: Pick<Config, 'databaseUrl' | 'dataDir'>): PoolConfig {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  return { host: socketDirOf(config.dataDir), user: 'kafedra', database: 'kafedra' }
}
