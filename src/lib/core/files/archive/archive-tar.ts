import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdtemp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { Refusal } from '../../http/refusal.ts'
import { ARCHIVE_LIMITS, type Archive, archiveRefusal, isContainedPath, maxUnpackedBytes } from './archive-guard.ts'

const IGNORED_TYPES = new Set(['directory', 'pax-header', 'pax-global-header'])

interface UnpackedFile {
  path: string
  size: number
}

/** Opens a gzipped tar, whose files are unpacked once into a scratch folder under numbers. Refuses as `openArchive`. */
export async function openTar(archive: string, size: number, scratch: string): Promise<Archive> {
  const files = await unpackTar(archive, size, await mkdtemp(path.join(scratch, 'tar-')))
  return {
    kind: 'tar',
    names: [...files.keys()],
    sizeOf: (name) => files.get(name)?.size ?? 0,
    read: async (name) => {
      const file = files.get(name)
      if (!file) return null
      if (file.size > ARCHIVE_LIMITS.text) throw new Refusal('too_large')
      return readFile(file.path)
    },
    extract: async (name, to) => {
      const file = files.get(name)
      if (file) await copyFile(file.path, to)
      return file !== undefined
    },
    locate: (name) => {
      const file = files.get(name)
      return file ? { path: file.path } : null
    },
    close: () => {},
  }
}

async function unpackTar(archive: string, size: number, folder: string): Promise<Map<string, UnpackedFile>> {
  const files = new Map<string, UnpackedFile>()
  const entries = extract()
  const maxBytes = maxUnpackedBytes(size)
  let unpackedBytes = 0
  let entryCount = 0
  const read = async () => {
    for await (const entry of entries) {
      const { name, type, size: bytes = 0 } = entry.header
      entryCount += 1
      unpackedBytes += bytes
      if (entryCount > ARCHIVE_LIMITS.entries) throw archiveRefusal('archive_many')
      if (unpackedBytes > maxBytes) throw archiveRefusal('archive_bomb')
      const entryPath = name.replace(/^\.\//, '')
      if (type && IGNORED_TYPES.has(type)) entry.resume()
      else {
        if (type !== 'file' && type !== 'contiguous-file') throw archiveRefusal('archive_link')
        if (!isContainedPath(entryPath)) throw archiveRefusal('archive_path')
        const to = path.join(folder, String(entryCount))
        await pipeline(Readable.from(entry), createWriteStream(to, { flags: 'wx' }))
        files.set(entryPath, { path: to, size: bytes })
      }
    }
  }
  try {
    await Promise.all([pipeline(createReadStream(archive), createGunzip(), entries), read()])
  } catch (error) {
    entries.destroy()
    throw error instanceof Refusal ? error : archiveRefusal('archive_damaged')
  }
  return files
}
