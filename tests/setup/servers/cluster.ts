import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { clusterDirOf } from '#lib/core/db/embedded-place.ts'
import { startEmbedded } from '../../../src/lib/core/db/embedded.ts'

const PREFIX = 'kt-'
export const TEMPLATE = 'template_kafedra'

export interface TestCluster {
  directory: string
  socketDir: string
  stop(): Promise<void>
}

/**
 * A separate PostgreSQL in a short temporary directory, without fsync. It ends with the process, also by Ctrl-C; files
 * of a killed run are removed by the next one. `binaries` (or TEST_POSTGRES): the directory of another PostgreSQL than
 * the one from npm.
 */
export async function startCluster(binaries = process.env.TEST_POSTGRES): Promise<TestCluster> {
  removeStaleClusters()
  const directory = path.join(os.tmpdir(), `${PREFIX}${process.pid}-${randomBytes(3).toString('hex')}`)
  fs.mkdirSync(directory)
  // Under root PostgreSQL runs as nobody and needs access to this directory, whatever the umask.
  fs.chmodSync(directory, 0o711)
  const atExit = () => removeClusterDirectory(directory)
  process.once('exit', atExit)
  const embedded = await startEmbedded(directory, { createDatabases: true, fast: true, binaries })
  return {
    directory,
    socketDir: embedded.socketDir,
    async stop() {
      await embedded.stop()
      process.off('exit', atExit)
      removeClusterDirectory(directory)
    },
  }
}

/** Connection string of a database in the cluster, in the form that DATABASE_URL takes. */
export function databaseUrl(socketDir: string, name: string): string {
  return `postgres://kafedra@localhost/${name}?host=${encodeURIComponent(socketDir)}`
}

/** Creates a database, empty or as a copy of another one without connections. Returns its connection string. */
export async function createDatabase(socketDir: string, name: string, template = 'template0'): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl(socketDir, 'kafedra') })
  await client.connect()
  try {
    await client.query(`create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(template)}`)
  } finally {
    await client.end()
  }
  return databaseUrl(socketDir, name)
}

/** Removes a data directory and ends the embedded server that may still run on it. */
export function removeClusterDirectory(directory: string): void {
  const place = clusterDirOf(directory)
  const pidFile = path.join(place, 'data/postmaster.pid')
  const postmaster = fs.existsSync(pidFile) ? Number.parseInt(fs.readFileSync(pidFile, 'utf8'), 10) : 0
  if (postmaster > 0 && isProcessAlive(postmaster)) process.kill(postmaster, 'SIGQUIT')
  for (const folder of [place, directory])
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

function removeStaleClusters(): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-[0-9a-f]{6}$`).exec(name)?.[1])
    const left = path.join(os.tmpdir(), name)
    if (pid > 0 && !isProcessAlive(pid) && fs.statSync(left, { throwIfNoEntry: false })?.uid === process.getuid?.())
      removeClusterDirectory(left)
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
