import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { clusterDirOf, socketDirOf } from '#lib/core/db/embedded-place.ts'
import { type Product, startProduct } from '../../setup/product.ts'
import { removeClusterDirectory } from '../../setup/servers/cluster.ts'

/** A product of a spec of its own, whose processes can be killed and whose attempts can be brought to their deadline. */
export interface InterruptedProduct {
  /** Kills the server and its database without a farewell. */
  kill(): Promise<void>
  /** Starts them again on the same port and data. */
  restart(): Promise<void>
  /** Moves the deadline of an attempt by the server's clock. */
  setDeadline(attemptId: string, secondsFromNow: number): Promise<void>
  stop(): Promise<void>
}

/** Starts the product with the demo school; until it is stopped, `addressOf` names it. */
export async function startInterruptedProduct(): Promise<InterruptedProduct> {
  const usualOrigin = process.env.E2E_ORIGIN
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'kp-'))
  let product: Product = await startProduct({ dataDir })
  const { port } = product
  process.env.E2E_ORIGIN = product.addressOf(null, '')
  return {
    async kill() {
      const pidFile = path.join(clusterDirOf(dataDir), 'data/postmaster.pid')
      const postmaster = Number.parseInt(fs.readFileSync(pidFile, 'utf8'), 10)
      product.process.kill('SIGKILL')
      process.kill(postmaster, 'SIGKILL')
      await product.stop()
    },
    async restart() {
      product = await startProduct({ dataDir, port })
    },
    async setDeadline(attemptId, secondsFromNow) {
      const client = new pg.Client({ host: socketDirOf(dataDir), user: 'kafedra', database: 'kafedra' })
      await client.connect()
      await client.query("select set_config('app.tenant_id', id::text, false) from tenant where subdomain = 'demo'")
      await client.query("update quiz_attempt set deadline_at = now() + $2 * interval '1 second' where id = $1", [
        attemptId,
        secondsFromNow,
      ])
      await client.end()
    },
    async stop() {
      await product.stop()
      removeClusterDirectory(dataDir)
      if (usualOrigin === undefined) delete process.env.E2E_ORIGIN
      else process.env.E2E_ORIGIN = usualOrigin
    },
  }
}
