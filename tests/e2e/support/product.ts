import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { clusterDirOf, socketDirOf } from '#lib/core/db/embedded-place.ts'
import { PREPARED_DATA_VARIABLE } from '../../setup/prepared-data.ts'
import { startProduct } from '../../setup/product.ts'
import { removeClusterDirectory } from '../../setup/servers/cluster.ts'

const JOBS_TIMEOUT_MS = 60_000

/**
 * Starts the built product with its demo school once per browser run, in a separate process. E2E_ORIGIN may name a
 * running installation, e.g. `http://kafedra.localhost:4321`.
 */
export default async function setup() {
  if (process.env.E2E_ORIGIN) return
  const prepared = await prepareData()
  process.env[PREPARED_DATA_VARIABLE] = prepared.dataDir
  // The emails of the demo school contain the port.
  const product = await startProduct({ port: prepared.port })
  process.env.E2E_ORIGIN = product.addressOf(null, '')
  process.env.E2E_DATA_DIR = product.dataDir
  return async () => {
    await product.stop()
    removeClusterDirectory(prepared.dataDir)
    if (/"level":"?(error|fatal|50|60)/.test(product.getOutput())) console.log(product.getOutput())
  }
}

/**
 * Creates the demo school once, with its jobs done; each product of the run starts from a copy of this data directory
 * (docs/decisions/287-duration-of-the-tests.md).
 */
async function prepareData(): Promise<{ dataDir: string; port: number }> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'kp-'))
  const product = await startProduct({ dataDir })
  await waitForJobs(dataDir)
  await product.stop()
  // Tests kill processes, not the machine: what PostgreSQL has written is kept without waiting for the disk.
  fs.appendFileSync(path.join(clusterDirOf(dataDir), 'data/postgresql.auto.conf'), 'fsync = off\n')
  return { dataDir, port: product.port }
}

/** Waits until no job is due. */
async function waitForJobs(dataDir: string): Promise<void> {
  const client = new pg.Client({ host: socketDirOf(dataDir), user: 'kafedra', database: 'kafedra' })
  await client.connect()
  const deadline = Date.now() + JOBS_TIMEOUT_MS
  for (;;) {
    const { rows } = await client.query<{ due: number }>(`select count(*)::int as due from pgboss.job
      where state in ('created', 'retry', 'active') and start_after <= now() and name not like '\\_\\_pgboss%'`)
    if (rows[0]?.due === 0 || Date.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await client.end()
}
