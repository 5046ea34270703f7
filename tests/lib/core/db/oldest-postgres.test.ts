import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bringOldPostgres } from '../../../../scripts/test/postgres.ts'
import { createDatabase, startCluster } from '../../../setup/servers/cluster.ts'

test('the migrations and core statements work on an older PostgreSQL', { timeout: 120_000 }, async () => {
  const cluster = await startCluster(bringOldPostgres())
  try {
    const script = path.resolve('tests/setup/oldest-postgres.ts')
    const env = { ...process.env, DATABASE_URL: await createDatabase(cluster.socketDir, 'oldest') }
    await expect(promisify(execFile)(process.execPath, [script], { env })).resolves.toBeTruthy()
  } finally {
    await cluster.stop()
  }
})
