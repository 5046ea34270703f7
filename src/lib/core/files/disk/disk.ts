import fs, { constants } from 'node:fs'
import { chmod, copyFile, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { newId } from '../../db/id.ts'
import { requireId, requireKey, tenantIdOf } from '../key.ts'
import { signPartPath } from '../part-url.ts'
import type { ObjectStore, StoredObject } from '../store.ts'
import { createFolder, FILE_MODE } from './disk-mode.ts'
import {
  abortDiskParts,
  finishDiskParts,
  listDiskParts,
  listStaleFolders,
  startDiskParts,
  uploadsFolder,
} from './disk-parts.ts'
import { pipeFile } from './disk-pipe.ts'

/**
 * Stores objects as files `<directory>/<key>`. Files are written under temporary names that no key can have, and
 * renamed.
 */
export function createDiskStore(directory: string): ObjectStore {
  const objectPath = (key: string) => path.join(directory, requireKey(key))
  const uploads = uploadsFolder(directory)

  return {
    async put(key, from) {
      const filePath = objectPath(key)
      await writeAtomically(directory, filePath, (temporaryPath) =>
        from instanceof Uint8Array
          ? writeFile(temporaryPath, from, { flag: 'wx', mode: FILE_MODE, flush: true })
          : cloneFile(from.path, temporaryPath),
      )
    },
    async stat(key) {
      const stats = await missingAsNull(stat(objectPath(key)))
      if (!stats?.isFile()) return null
      return { size: stats.size, tag: `${stats.size.toString(36)}-${Math.round(stats.mtimeMs * 1000).toString(36)}` }
    },
    read: (key, options) => openStream(objectPath(key), options?.range),
    async pipeTo(key, range, into) {
      const fd = await openDescriptor(objectPath(key))
      if (fd === null) return false
      try {
        await pipeFile(fd, range, into)
      } finally {
        fs.close(fd, () => {})
      }
      return true
    },
    async openLocalCopy(key) {
      const filePath = objectPath(key)
      return (await missingAsNull(stat(filePath))) ? { path: filePath, done: () => Promise.resolve() } : null
    },
    copy: (from, to) =>
      writeAtomically(directory, objectPath(to), (temporaryPath) => cloneFile(objectPath(from), temporaryPath)),
    remove: (key) => rm(objectPath(key), { force: true }),
    async removeFile(tenantId, fileId) {
      const filePath = objectPath(`${tenantId}/${fileId}`)
      await rm(filePath, { force: true })
      await rm(`${filePath}.made`, { force: true, recursive: true })
    },
    list: (prefix) => listObjects(directory, prefix),

    async startParts(key) {
      const uploadId = newId()
      await startDiskParts(path.join(uploads, tenantIdOf(key), uploadId))
      return uploadId
    },
    signPart: (key, part) => Promise.resolve(signPartPath(tenantIdOf(key), part)),
    listParts: (key, uploadId) => listDiskParts(path.join(uploads, tenantIdOf(key), requireId(uploadId))),
    async finishParts(key, uploadId) {
      const filePath = objectPath(key)
      await createFolder(path.dirname(filePath))
      await finishDiskParts(path.join(uploads, tenantIdOf(key), requireId(uploadId)), filePath)
      await flushPath(path.dirname(filePath), 'r')
    },
    abortParts: (key, uploadId) => abortDiskParts(path.join(uploads, tenantIdOf(key), requireId(uploadId))),

    listStaleUploads: (before) => listStaleFolders(uploads, before),

    signRead: () => Promise.resolve(null),
  }
}

// Atomic and durable: written to a temporary file, flushed, renamed, and the directory flushed.
async function writeAtomically(
  directory: string,
  filePath: string,
  write: (temporaryPath: string) => Promise<void>,
): Promise<void> {
  const temporaryFolder = path.join(directory, '.aside')
  const temporaryPath = path.join(temporaryFolder, newId())
  await createFolder(temporaryFolder)
  await createFolder(path.dirname(filePath))
  try {
    await write(temporaryPath)
    await rename(temporaryPath, filePath)
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
  await flushPath(path.dirname(filePath), 'r')
}

async function cloneFile(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  // copyFile keeps the permissions of the source.
  await chmod(target, FILE_MODE)
  await flushPath(target, 'r+')
}

async function flushPath(filePath: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(filePath, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openStream(filePath: string, range?: { start: number; end: number }): Promise<Readable | null> {
  const fd = await openDescriptor(filePath)
  return fd === null ? null : fs.createReadStream(filePath, { fd, ...range })
}

async function openDescriptor(filePath: string): Promise<number | null> {
  const fd = await missingAsNull(promisify(fs.open)(filePath, 'r'))
  if (fd === null || fs.fstatSync(fd).isFile()) return fd
  fs.closeSync(fd)
  return null
}

async function* listObjects(directory: string, prefix: string): AsyncGenerator<StoredObject> {
  const start = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const folder = await missingAsNull(opendir(path.join(directory, start)))
  if (!folder) return
  for await (const entry of folder) {
    const key = start + entry.name
    if (entry.name.startsWith('.') || !key.startsWith(prefix)) continue
    if (entry.isDirectory()) yield* listObjects(directory, `${key}/`)
    else {
      const stats = await missingAsNull(stat(path.join(directory, key)))
      if (stats) yield { key, size: stats.size }
    }
  }
}

function missingAsNull<T>(result: Promise<T>): Promise<T | null> {
  return result.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
}
