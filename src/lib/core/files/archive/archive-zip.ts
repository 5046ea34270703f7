import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Refusal } from '../../http/refusal.ts'
import { ARCHIVE_LIMITS, type Archive, archiveRefusal, isContainedPath, maxUnpackedBytes } from './archive-guard.ts'
import { nameEntries } from './zip-names.ts'

const SYMLINK = 0o120000
const FILE_TYPE_MASK = 0o170000

/** Opens a ZIP on the disk; entries are read directly from it. Refuses as `openArchive`. */
export async function openZip(path: string, size: number): Promise<Archive> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch(throwDamaged)
  try {
    const entries = await readCheckedEntries(zip, size)
    return {
      kind: 'zip',
      names: [...entries.keys()],
      sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
      read: async (name) => {
        const entry = entries.get(name)
        if (!entry) return null
        if (entry.uncompressedSize > ARCHIVE_LIMITS.text) throw new Refusal('too_large')
        return zip.openReadStreamPromise(entry).then(buffer).catch(throwDamaged)
      },
      extract: async (name, to) => {
        const entry = entries.get(name)
        if (!entry) return false
        const bytes = await zip.openReadStreamPromise(entry).catch(throwDamaged)
        await pipeline(bytes, createWriteStream(to, { flags: 'wx' })).catch(throwDamaged)
        return true
      },
      locate: (name) => (entries.has(name) ? { entry: name } : null),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function readCheckedEntries(zip: ZipFile, size: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > ARCHIVE_LIMITS.entries) throw archiveRefusal('archive_many')
  const list: Entry[] = []
  // The library reports a name that leaves the folder by an error of its own; all its other errors mean a damaged file.
  for await (const entry of iterateSafely(zip.eachEntry())) list.push(entry)
  nameEntries(list)
  const entries = new Map<string, Entry>()
  let unpackedBytes = 0
  for (const entry of list) {
    const mode = entry.externalFileAttributes >>> 16
    if (!isContainedPath(entry.fileName)) throw archiveRefusal('archive_path')
    if ((mode & FILE_TYPE_MASK) === SYMLINK) throw archiveRefusal('archive_link')
    if (entry.isEncrypted()) throw archiveRefusal('archive_locked')
    unpackedBytes += entry.uncompressedSize
    if (unpackedBytes > maxUnpackedBytes(size)) throw archiveRefusal('archive_bomb')
    if (!entry.fileName.endsWith('/') && !entries.has(entry.fileName)) entries.set(entry.fileName, entry)
  }
  return entries
}

async function* iterateSafely<T>(source: AsyncIterableIterator<T>): AsyncGenerator<T> {
  for (;;) {
    const next = await source.next().catch(throwDamaged)
    if (next.done) return
    yield next.value
  }
}

function throwDamaged(error: unknown): never {
  if (error instanceof Refusal) throw error
  const message = error instanceof Error ? error.message : ''
  throw archiveRefusal(
    /absolute path|relative path|characters in fileName/.test(message) ? 'archive_path' : 'archive_damaged',
  )
}
