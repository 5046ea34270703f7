import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createDatabase, startCluster } from '../../../setup/servers/cluster.ts'

/** Where Debian and Ubuntu install the oldest version that the product supports. */
const DEBIAN = '/usr/lib/postgresql/15'

test.runIf(fs.existsSync(path.join(DEBIAN, 'bin/postgres')))(
  'the migrations and core statements work on PostgreSQL 15',
  { timeout: 120_000 },
  async () => {
    const cluster = await startCluster(DEBIAN)
    try {
      const script = path.resolve('tests/setup/oldest-postgres.ts')
      const env = { ...process.env, DATABASE_URL: await createDatabase(cluster.socketDir, 'oldest') }
      await expect(promisify(execFile)(process.execPath, [script], { env })).resolves.toBeTruthy()
    } finally {
      await cluster.stop()
    }
  },
)
