import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { ClusterOwner } from './embedded-place.ts'

export interface Cluster {
  binaries: string
  /** The cluster's directory; its parent is the place. */
  data: string
  /** The user that runs PostgreSQL when it is not the user of this process. */
  owner: ClusterOwner | null
  /** The role may create databases and connect to all of them; for tests. */
  createDatabases: boolean
  fast: boolean
}

/**
 * Creates the cluster unless it exists: ICU Ukrainian collation, role and database `kafedra`. It is created in a
 * temporary directory and renamed, so that of several concurrent processes one succeeds and the others use its result.
 * Throws with the output of initdb.
 */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  removeUnfinishedClusters(cluster.data)
  if (fs.existsSync(path.join(cluster.data, 'PG_VERSION'))) return
  const half = `${cluster.data}.${process.pid}`
  await initialize(cluster, half)
  try {
    fs.renameSync(half, cluster.data)
  } catch (error) {
    fs.rmSync(half, { recursive: true, force: true })
    if (!fs.existsSync(path.join(cluster.data, 'PG_VERSION'))) throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function initialize(cluster: Cluster, half: string): Promise<void> {
  const collation = ['--locale-provider=icu', '--icu-locale=uk', '--locale=C']
  const once = ['-U', 'postgres', '-A', 'reject', '-E', 'UTF8', '--no-instructions', ...(cluster.fast ? ['-N'] : [])]
  fs.rmSync(half, { recursive: true, force: true })
  await runProgram(cluster, 'initdb', ['-D', half, ...once, ...collation])
  const single = ['--single', '-D', half, '-c', 'exit_on_error=on', ...(cluster.fast ? ['-c', 'fsync=off'] : [])]
  await runProgram(cluster, 'postgres', [...single, 'postgres'], firstStatements(cluster))
  const rule = `local ${cluster.createDatabases ? 'all' : 'kafedra'} kafedra trust\n`
  fs.writeFileSync(path.join(half, 'pg_hba.conf'), rule, { flush: true })
}

function firstStatements({ createDatabases }: Cluster): string {
  const rights = `NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOREPLICATION ${createDatabases ? 'CREATEDB' : 'NOCREATEDB'}`
  return `CREATE ROLE kafedra LOGIN ${rights};\nCREATE DATABASE kafedra OWNER kafedra;\n`
}

function runProgram(cluster: Cluster, program: string, args: string[], input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(cluster.binaries, 'bin', program), args, { cwd: '/', ...cluster.owner })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.on('error', reject)
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`${program} ended with ${status}: ${output.trim().slice(-2000)}`)),
    )
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

function removeUnfinishedClusters(data: string): void {
  const prefix = `${path.basename(data)}.`
  for (const name of fs.readdirSync(path.dirname(data))) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0
    if (pid > 0 && !isAlive(pid))
      fs.rmSync(path.join(path.dirname(data), name), { recursive: true, force: true, maxRetries: 3 })
  }
}
