import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export interface ClusterOwner {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, therefore root starts it as `nobody`. */
export const NOBODY: ClusterOwner = { uid: 65534, gid: 65534 }

/** Root stores clusters here that `nobody` cannot access elsewhere, e.g. below a home directory with mode 0700. */
export const SYSTEM_PLACE = '/var/lib/kafedra'

const SOCKET_NAME = '.s.PGSQL.5432'
// Maximum length of sun_path in sockaddr_un without its terminating zero byte: Linux 108, BSD and macOS 104.
const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103

/**
 * The directory of the embedded server of a data directory. Normally `<dataDir>/postgres`; when this process runs as
 * root and `nobody` cannot access that directory, `/var/lib/kafedra/<name>-<hash>`. A directory that already contains a
 * cluster is used even if the permissions have changed since, so that no second, empty database is created.
 */
export function clusterDirOf(dataDir: string): string {
  const inside = path.join(path.resolve(dataDir), 'postgres')
  if (!runsAsRoot()) return inside
  const apart = path.join(SYSTEM_PLACE, `${path.basename(path.resolve(dataDir))}-${hashOf(inside)}`)
  if (fs.existsSync(path.join(apart, 'data'))) return apart
  if (fs.existsSync(path.join(inside, 'data'))) return inside
  return canReach(path.dirname(inside), NOBODY) ? inside : apart
}

/**
 * The directory of the Unix socket, to be used as `host` of a connection. A short path under /tmp when the other one
 * would be too long.
 */
export function socketDirOf(dataDir: string): string {
  const place = clusterDirOf(dataDir)
  const near = path.join(place, 'run')
  if (Buffer.byteLength(path.join(near, SOCKET_NAME)) <= LONGEST_SOCKET_PATH) return near
  return path.join('/tmp', `kafedra-${hashOf(place)}`)
}

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0
}

/** Whether that user may enter every existing directory down to `target`, and read it if it is a file. */
export function canReach(target: string, owner: ClusterOwner): boolean {
  for (let at = target; ; at = path.dirname(at)) {
    const stats = fs.statSync(at, { throwIfNoEntry: false })
    if (stats) {
      const needed = stats.isDirectory() ? 0o1 : 0o4
      const shift = stats.uid === owner.uid ? 6 : stats.gid === owner.gid ? 3 : 0
      if (((stats.mode >> shift) & needed) === 0) return false
    }
    if (at === path.dirname(at)) return true
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
