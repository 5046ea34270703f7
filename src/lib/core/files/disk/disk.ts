import fs, { constants } from 'node:fs'
import { chmod, copyFile, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { newId } from '../../db/id.ts'
import { checkedId, checkedKey, tenantOf } from '../key.ts'
import { signPartPath } from '../part-ticket.ts'
import type { ObjectStore, Stored } from '../store.ts'
import { FILE_MODE, makeFolder } from './disk-mode.ts'
import { abortParts, finishParts, listParts, partsRoot, silentFolders, startParts } from './disk-parts.ts'
import { pour } from './disk-pour.ts'

/** Objects as files of a directory, `<directory>/<key>`. What is being written lies aside, under names that no key has. */
export function createDiskStore(directory: string): ObjectStore {
  const placeOf = (key: string) => path.join(directory, checkedKey(key))
  const uploads = partsRoot(directory)

  return {
    async put(key, from) {
      const place = placeOf(key)
      await placed(directory, place, (aside) =>
        from instanceof Uint8Array
          ? writeFile(aside, from, { flag: 'wx', mode: FILE_MODE, flush: true })
          : clone(from.path, aside),
      )
    },
    async stat(key) {
      const found = await orNull(stat(placeOf(key)))
      if (!found?.isFile()) return null
      return { size: found.size, tag: `${found.size.toString(36)}-${Math.round(found.mtimeMs * 1000).toString(36)}` }
    },
    read: (key, options) => opened(placeOf(key), options?.range),
    async pour(key, range, into) {
      const fd = await openFile(placeOf(key))
      if (fd === null) return false
      try {
        await pour(fd, range, into)
      } finally {
        fs.close(fd, () => {})
      }
      return true
    },
    async lend(key) {
      const place = placeOf(key)
      return (await orNull(stat(place))) ? { path: place, done: () => Promise.resolve() } : null
    },
    copy: (from, to) => placed(directory, placeOf(to), (aside) => clone(placeOf(from), aside)),
    remove: (key) => rm(placeOf(key), { force: true }),
    async removeFile(tenantId, fileId) {
      const place = placeOf(`${tenantId}/${fileId}`)
      await rm(place, { force: true })
      await rm(`${place}.made`, { force: true, recursive: true })
    },
    list: (prefix) => walk(directory, prefix),

    async startParts(key) {
      const uploadId = newId()
      await startParts(path.join(uploads, tenantOf(key), uploadId))
      return uploadId
    },
    signPart: (key, part) => Promise.resolve(signPartPath(tenantOf(key), part)),
    listParts: (key, uploadId) => listParts(path.join(uploads, tenantOf(key), checkedId(uploadId))),
    async finishParts(key, uploadId) {
      const place = placeOf(key)
      await makeFolder(path.dirname(place))
      await finishParts(path.join(uploads, tenantOf(key), checkedId(uploadId)), place)
      await flush(path.dirname(place), 'r')
    },
    abortParts: (key, uploadId) => abortParts(path.join(uploads, tenantOf(key), checkedId(uploadId))),

    silentUploads: (before) => silentFolders(uploads, before),

    signRead: () => Promise.resolve(null),
  }
}

// Whole or not at all, and there after a crash: written aside, flushed, renamed, the directory flushed.
async function placed(directory: string, place: string, fill: (aside: string) => Promise<void>): Promise<void> {
  const waiting = path.join(directory, '.aside')
  const aside = path.join(waiting, newId())
  await makeFolder(waiting)
  await makeFolder(path.dirname(place))
  try {
    await fill(aside)
    await rename(aside, place)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
  await flush(path.dirname(place), 'r')
}

async function clone(from: string, aside: string): Promise<void> {
  await copyFile(from, aside, constants.COPYFILE_FICLONE)
  // A copy has the permissions of what it was made of.
  await chmod(aside, FILE_MODE)
  await flush(aside, 'r+')
}

async function flush(place: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(place, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function opened(place: string, range?: { start: number; end: number }): Promise<Readable | null> {
  const fd = await openFile(place)
  return fd === null ? null : fs.createReadStream(place, { fd, ...range })
}

async function openFile(place: string): Promise<number | null> {
  const fd = await orNull(promisify(fs.open)(place, 'r'))
  if (fd === null || fs.fstatSync(fd).isFile()) return fd
  fs.closeSync(fd)
  return null
}

async function* walk(directory: string, prefix: string): AsyncGenerator<Stored> {
  const start = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const folder = await orNull(opendir(path.join(directory, start)))
  if (!folder) return
  for await (const entry of folder) {
    const key = start + entry.name
    if (entry.name.startsWith('.') || !key.startsWith(prefix)) continue
    if (entry.isDirectory()) yield* walk(directory, `${key}/`)
    else {
      const found = await orNull(stat(path.join(directory, key)))
      if (found) yield { key, size: found.size }
    }
  }
}

function orNull<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
}
