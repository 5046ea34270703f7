import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { createDatabase, startCluster, TEMPLATE } from '../servers/cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    cluster: { directory: string; socketDir: string }
  }
}

/** Runs once per test run: starts a PostgreSQL server with a migrated template database, which each test file copies. */
export default async function setup(project: TestProject) {
  const cluster = await startCluster()
  const address = await createDatabase(cluster.socketDir, TEMPLATE)
  await migrateInProcess(address)
  project.provide('cluster', { directory: cluster.directory, socketDir: cluster.socketDir })
  return () => cluster.stop()
}

// In a separate process: the connection pool reads its configuration once, and a template database must have no connections.
async function migrateInProcess(address: string): Promise<void> {
  const script = path.join(import.meta.dirname, '../migrate.ts')
  const env = { ...process.env, DATABASE_URL: address, NODE_ENV: 'test', LOG_LEVEL: 'error' }
  await promisify(execFile)(process.execPath, [script], { env })
}
