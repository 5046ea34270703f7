import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { config } from '../config/config.ts'
import { HOUR_MS } from '../shared/time.ts'

const HOST = os.hostname().replaceAll(/[^A-Za-z0-9.]/g, '')
const STALE_MS = 48 * HOUR_MS
const activeFolders = new Set<string>()

/** Creates a folder under `<data>/tmp`, and always removes it afterwards. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const parent = parentFolder()
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(path.join(parent, `media_${HOST}_${process.pid}_`))
  activeFolders.add(path.basename(folder))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    activeFolders.delete(path.basename(folder))
  }
}

/** Removes folders of killed processes: of this host when the process no longer runs, of other hosts after two days. */
export async function removeStaleFolders(): Promise<void> {
  const names = await readdir(parentFolder()).catch(() => [])
  for (const name of names) {
    const [kind, host, pid] = name.split('_')
    if (kind !== 'media' || activeFolders.has(name)) continue
    const folder = path.join(parentFolder(), name)
    const left = host === HOST ? Number(pid) === process.pid || !isProcessAlive(Number(pid)) : await isStale(folder)
    if (left) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const parentFolder = (): string => path.join(config.dataDir, 'tmp')

function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isStale(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => null)
  return stats !== null && Date.now() - stats.mtimeMs > STALE_MS
}
