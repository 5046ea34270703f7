import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Refusal } from '../../http/refusal.ts'
import { ARCHIVE_LIMITS, type Archive, archiveRefusal, isInnerPath, mostInside } from './archive-guard.ts'

const SYMLINK = 0o120000
const TYPE = 0o170000

/** A ZIP of the disk; entries are read where they lie. Refuses as `openArchive`. */
export async function openZip(path: string, size: number): Promise<Archive> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch(damaged)
  try {
    const entries = await checkedEntries(zip, size)
    return {
      kind: 'zip',
      names: [...entries.keys()],
      sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
      read: async (name) => {
        const entry = entries.get(name)
        if (!entry) return null
        if (entry.uncompressedSize > ARCHIVE_LIMITS.text) throw new Refusal('too_large')
        return zip.openReadStreamPromise(entry).then(buffer).catch(damaged)
      },
      extract: async (name, to) => {
        const entry = entries.get(name)
        if (!entry) return false
        const bytes = await zip.openReadStreamPromise(entry).catch(damaged)
        await pipeline(bytes, createWriteStream(to, { flags: 'wx' })).catch(damaged)
        return true
      },
      placeOf: (name) => (entries.has(name) ? { entry: name } : null),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function checkedEntries(zip: ZipFile, size: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > ARCHIVE_LIMITS.entries) throw archiveRefusal('archive_many')
  const entries = new Map<string, Entry>()
  let inside = 0
  // A name that leads outside is an error of the library's own; all its others are damage.
  for await (const entry of safely(zip.eachEntry())) {
    const mode = entry.externalFileAttributes >>> 16
    if (!isInnerPath(entry.fileName)) throw archiveRefusal('archive_path')
    if ((mode & TYPE) === SYMLINK) throw archiveRefusal('archive_link')
    if (entry.isEncrypted()) throw archiveRefusal('archive_locked')
    inside += entry.uncompressedSize
    if (inside > mostInside(size)) throw archiveRefusal('archive_bomb')
    if (!entry.fileName.endsWith('/') && !entries.has(entry.fileName)) entries.set(entry.fileName, entry)
  }
  return entries
}

async function* safely<T>(source: AsyncIterableIterator<T>): AsyncGenerator<T> {
  for (;;) {
    const next = await source.next().catch(damaged)
    if (next.done) return
    yield next.value
  }
}

function damaged(error: unknown): never {
  if (error instanceof Refusal) throw error
  const says = error instanceof Error ? error.message : ''
  throw archiveRefusal(
    /absolute path|relative path|characters in fileName/.test(says) ? 'archive_path' : 'archive_damaged',
  )
}
