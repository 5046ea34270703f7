import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdtemp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { Refusal } from '../../http/refusal.ts'
import { ARCHIVE_LIMITS, type Archive, archiveRefusal, isInnerPath, mostInside } from './archive-guard.ts'

const QUIET = new Set(['directory', 'pax-header', 'pax-global-header'])

interface Kept {
  path: string
  size: number
}

/** A gzipped tar, unpacked once into a folder of ours under numbers. Refuses as `openArchive`. */
export async function openTar(archive: string, size: number, scratch: string): Promise<Archive> {
  const kept = await unpack(archive, size, await mkdtemp(path.join(scratch, 'tar-')))
  return {
    kind: 'tar',
    names: [...kept.keys()],
    sizeOf: (name) => kept.get(name)?.size ?? 0,
    read: async (name) => {
      const file = kept.get(name)
      if (!file) return null
      if (file.size > ARCHIVE_LIMITS.text) throw new Refusal('too_large')
      return readFile(file.path)
    },
    extract: async (name, to) => {
      const file = kept.get(name)
      if (file) await copyFile(file.path, to)
      return file !== undefined
    },
    placeOf: (name) => {
      const file = kept.get(name)
      return file ? { path: file.path } : null
    },
    close: () => {},
  }
}

async function unpack(archive: string, size: number, folder: string): Promise<Map<string, Kept>> {
  const kept = new Map<string, Kept>()
  const entries = extract()
  const most = mostInside(size)
  let inside = 0
  let seen = 0
  const read = async () => {
    for await (const entry of entries) {
      const { name, type, size: bytes = 0 } = entry.header
      seen += 1
      inside += bytes
      if (seen > ARCHIVE_LIMITS.entries) throw archiveRefusal('archive_many')
      if (inside > most) throw archiveRefusal('archive_bomb')
      const inner = name.replace(/^\.\//, '')
      if (type && QUIET.has(type)) entry.resume()
      else {
        if (type !== 'file' && type !== 'contiguous-file') throw archiveRefusal('archive_link')
        if (!isInnerPath(inner)) throw archiveRefusal('archive_path')
        const to = path.join(folder, String(seen))
        await pipeline(Readable.from(entry), createWriteStream(to, { flags: 'wx' }))
        kept.set(inner, { path: to, size: bytes })
      }
    }
  }
  try {
    await Promise.all([pipeline(createReadStream(archive), createGunzip(), entries), read()])
  } catch (error) {
    entries.destroy()
    throw error instanceof Refusal ? error : archiveRefusal('archive_damaged')
  }
  return kept
}
