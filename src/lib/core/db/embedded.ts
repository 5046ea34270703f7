import fs from 'node:fs'
import path from 'node:path'
import { binariesFor } from './embedded-binaries.ts'
import { type Cluster, ensureCluster, isAlive } from './embedded-cluster.ts'
import { type ClusterOwner, clusterDirOf, NOBODY, runsAsRoot, socketDirOf } from './embedded-place.ts'
import { acceptsConnections, endPostmaster, postmasterOf, spawnPostmaster } from './embedded-postmaster.ts'

export interface Embedded {
  socketDir: string
  /** The server was already running. */
  adopted: boolean
  /** Releases the server; the last process to do so stops it. The caller has to close its own connections first. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL from npm's binaries on a Unix socket, or uses the server that already runs on this cluster, until
 * `stop()`. Connect with host = socketDir, user and database `kafedra`. `createDatabases` (used when the cluster is
 * created), `fast` (no fsync) and `binaries` (the directory of another PostgreSQL) are for tests. Throws with the output of PostgreSQL when it cannot start.
 */
export async function startEmbedded(
  dataDir: string,
  options: { createDatabases?: boolean; fast?: boolean; binaries?: string | undefined } = {},
): Promise<Embedded> {
  const place = clusterDirOf(dataDir)
  const socketDir = socketDirOf(dataDir)
  const owner = prepare(dataDir, place, socketDir)
  const cluster: Cluster = {
    binaries: options.binaries ?? binariesFor(owner, place),
    data: path.join(place, 'data'),
    owner,
    createDatabases: options.createDatabases ?? false,
    fast: options.fast ?? false,
  }
  const release = registerProcess(place, owner)
  try {
    await ensureCluster(cluster)
    const adopted = await startPostmaster(cluster, socketDir)
    const watch = restartWhenEnded(cluster, socketDir)
    const stop = async () => {
      await watch.stop()
      if (release() === 0) await endPostmaster(cluster.data)
    }
    return { socketDir, adopted, stop }
  } catch (error) {
    release()
    throw error
  }
}

// A ready server responds immediately; a server that recovers after a crash may need minutes, during which it has a
// pid.
const START_TIMEOUT = { unanswered: 300_000, refused: 60_000, socketless: 3000 }

async function startPostmaster(cluster: Cluster, socketDir: string): Promise<boolean> {
  const since = Date.now()
  let start: ReturnType<typeof spawnPostmaster> | undefined
  for (let failures = 0; ; await new Promise((resolve) => setTimeout(resolve, 40))) {
    if (await acceptsConnections(socketDir)) return start === undefined || start.ended
    const pid = postmasterOf(cluster.data)
    const waited = Date.now() - since
    if (pid !== null && waited > START_TIMEOUT.unanswered)
      throw new Error(`PostgreSQL ${pid} does not answer in ${socketDir}`)
    const lacksSocket =
      pid !== null && waited > START_TIMEOUT.socketless && !fs.existsSync(path.join(socketDir, '.s.PGSQL.5432'))
    if (lacksSocket) await endPostmaster(cluster.data)
    if (start?.ended === false || (pid !== null && !lacksSocket)) continue
    if (start?.ended) {
      // Child processes of a killed server keep its shared memory for a moment; a concurrent start holds the lock file.
      const passing = /still in use|lock file/.test(start.words()) && waited < START_TIMEOUT.refused
      if (!passing && ++failures > 2) throw new Error(`PostgreSQL does not start: ${start.words()}`)
    }
    start = spawnPostmaster(cluster, socketDir)
  }
}

function restartWhenEnded(cluster: Cluster, socketDir: string): { stop(): Promise<void> } {
  let stopped = false
  let reviving: Promise<unknown> | null = null
  const timer = setInterval(() => {
    if (stopped || reviving || postmasterOf(cluster.data) !== null) return
    reviving = startPostmaster(cluster, socketDir)
      .catch((error: Error) => process.emitWarning(error.message))
      .finally(() => {
        reviving = null
      })
  }, 500)
  timer.unref()
  const stop = async () => {
    stopped = true
    clearInterval(timer)
    await reviving
  }
  return { stop }
}

function prepare(dataDir: string, place: string, socketDir: string): ClusterOwner | null {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  fs.mkdirSync(place, { recursive: true, mode: 0o711 })
  const owner = runsAsRoot() ? ownerOf(place) : null
  if (owner) {
    fs.chownSync(place, owner.uid, owner.gid)
    fs.chmodSync(place, 0o700)
    fs.chmodSync(path.dirname(place), fs.statSync(path.dirname(place)).mode | 0o111)
  }
  try {
    fs.mkdirSync(socketDir, { mode: 0o700 })
    if (owner) fs.chownSync(socketDir, owner.uid, owner.gid)
  } catch (error) {
    if (!fs.existsSync(socketDir)) throw error
  }
  const stats = fs.lstatSync(socketDir)
  const expectedUid = owner?.uid ?? process.getuid?.() ?? stats.uid
  if (!stats.isDirectory() || (stats.uid !== expectedUid && stats.uid !== 0) || (stats.mode & 0o077) !== 0)
    throw new Error(`${socketDir} belongs to someone else: remove it or choose another DATA_DIR`)
  return owner
}

// A cluster that an ordinary user created continues to run as that user.
function ownerOf(place: string): ClusterOwner {
  const stats = fs.statSync(path.join(place, 'data'), { throwIfNoEntry: false }) ?? fs.statSync(place)
  return stats.uid === 0 ? NOBODY : { uid: stats.uid, gid: stats.gid }
}

// Each process that uses the server registers its process id in a directory, so that no process stops the server while
// another uses it.
function registerProcess(place: string, owner: ClusterOwner | null): () => number {
  const users = path.join(place, 'users')
  fs.mkdirSync(users, { recursive: true })
  if (owner) fs.chownSync(users, owner.uid, owner.gid)
  const own = path.join(users, String(process.pid))
  fs.writeFileSync(own, '')
  return () => {
    fs.rmSync(own, { force: true })
    const others = fs.readdirSync(users).map(Number)
    for (const pid of others) if (!isAlive(pid)) fs.rmSync(path.join(users, String(pid)), { force: true })
    return others.filter(isAlive).length
  }
}
