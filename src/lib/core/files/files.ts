import fs from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { config } from '../config/config.ts'
import { newId } from '../db/id.ts'
import { type ObjectStore, PART_BYTES, type Stored } from './store.ts'
import { signTicket } from './ticket.ts'

const KEY = /^[0-9a-f-]{36}\/[0-9a-f-]{36}(\.made\/[\w./-]+)?$/

/** The disk under the data directory. */
export const store: ObjectStore = {
  async put(key, from) {
    await inPlace(key, async (aside) => {
      const source = from instanceof Uint8Array ? Readable.from([from]) : fs.createReadStream(from.path)
      await pipeline(source, fs.createWriteStream(aside, { flags: 'wx', flush: true }))
    })
  },
  async stat(key) {
    const found = await orNull(stat(placeOf(key)))
    return found?.isFile() ? { size: found.size } : null
  },
  async read(key, { range } = {}) {
    return (await store.stat(key)) ? fs.createReadStream(placeOf(key), range) : null
  },
  async lend(key) {
    return (await store.stat(key)) ? { path: placeOf(key), done: async () => {} } : null
  },
  copy: (from, to) => inPlace(to, (aside) => copyFile(placeOf(from), aside)),
  remove: (key) => rm(placeOf(key), { force: true }),
  async removeFile(tenantId, fileId) {
    await store.remove(`${tenantId}/${fileId}`)
    await rm(`${placeOf(`${tenantId}/${fileId}`)}.made`, { recursive: true, force: true })
  },
  async *list(prefix): AsyncIterable<Stored> {
    const root = path.join(config.dataDir, 'files')
    const folder = path.join(root, prefix.slice(0, prefix.lastIndexOf('/') + 1))
    const entries = (await orNull(readdir(folder, { recursive: true, withFileTypes: true }))) ?? []
    for (const entry of entries) {
      const place = path.join(entry.parentPath, entry.name)
      const key = path.relative(root, place)
      if (entry.isFile() && key.startsWith(prefix)) yield { key, size: (await stat(place)).size }
    }
  },
  async startParts() {
    const id = newId()
    await mkdir(partsOf(id), { recursive: true })
    return id
  },
  async signPart(key, { uploadId, number, size, viewer, seconds }) {
    const address = `/v1/part/${key.split('/')[0]}/${uploadId}/${number}/${size}`
    const now = Math.floor(Date.now() / 1000)
    return `${address}/${signTicket(address, viewer, { issued: now, expires: now + seconds })}`
  },
  async listParts(_key, uploadId) {
    const names = (await orNull(readdir(partsOf(uploadId)))) ?? []
    const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number)
    const parts = numbers.map(async (number) => {
      const { size } = await stat(path.join(partsOf(uploadId), String(number)))
      return { number, size, etag: `${number}-${size}` }
    })
    return (await Promise.all(parts)).sort((a, b) => a.number - b.number)
  },
  async finishParts(key, uploadId) {
    const parts = await store.listParts(key, uploadId)
    const whole = parts.every(({ number, size }, at) => number === at + 1 && (size === PART_BYTES || !parts[at + 1]))
    if (parts.length === 0 || !whole) throw new Error('a part is missing')
    await inPlace(key, async (aside) => {
      for (const { number } of parts) {
        const part = fs.createReadStream(path.join(partsOf(uploadId), String(number)))
        await pipeline(part, fs.createWriteStream(aside, { flags: 'a', flush: true }))
      }
    })
    await rm(partsOf(uploadId), { recursive: true, force: true })
  },
  abortParts: (_key, uploadId) => rm(partsOf(uploadId), { recursive: true, force: true }),
  signRead: async () => null,
}

/** The beginning of a file's addresses for one viewer: add `original.<ext>` or what was made of it. */
export function mediaBase(tenantId: string, fileId: string, viewer: string): string {
  const [round, now] = [1800, Math.floor(Date.now() / 1000)]
  const issued = Math.floor(now / round) * round
  const ticket = signTicket(`media/${tenantId}/${fileId}`, viewer, { issued, expires: issued + round + 7200 })
  return `/v1/media/${tenantId}/${fileId}/${ticket}/`
}

async function inPlace(key: string, write: (aside: string) => Promise<void>): Promise<void> {
  const target = placeOf(key)
  await mkdir(path.dirname(target), { recursive: true })
  const aside = path.join(path.dirname(target), `.${newId()}`)
  await write(aside)
  const handle = await open(aside, 'r')
  await handle.sync().finally(() => handle.close())
  await rename(aside, target)
}

// A path must never be made of what somebody typed.
function placeOf(key: string): string {
  if (!KEY.test(key) || key.includes('..')) throw new TypeError('no key of the object store')
  return path.join(config.dataDir, 'files', key)
}

const partsOf = (uploadId: string): string => path.join(config.dataDir, 'parts', path.basename(uploadId))

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
