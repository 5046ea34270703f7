import fs from 'node:fs'
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import path from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../db/id.ts'
import { onPeerMessage, sendToPeers } from '../../processes/peers.ts'
import { UPLOAD_PART_BYTES } from '../../shared/upload-part.ts'
import { requireWholeSize, type UploadedPart } from '../store.ts'
import { createFolder, FILE_MODE } from './disk-mode.ts'

/*
 * An upload is a folder: `bytes`, into which parts are written at their offset, and `<number>.json` for each complete
 * part. finishParts first renames the folder, so that `bytes` cannot be opened any more, and then checks that all parts
 * are there; writePart first removes the record of the part and then opens `bytes`.
 */

/** Folder of the unfinished uploads. */
export const uploadsFolder = (directory: string): string => path.join(directory, '.uploads')

const JOINING_SUFFIX = '.joining'
const BYTES_FILE = 'bytes'

export async function startDiskParts(folder: string): Promise<void> {
  await createFolder(folder)
  await (await open(path.join(folder, BYTES_FILE), 'wx', FILE_MODE)).close()
}

/** Reason for refusing a part. */
export type PartRefusal = 'unknown' | 'overtaken' | 'size_differs'

const activeWrites = new Map<string, { stop: AbortController; stopped: Promise<unknown> }>()

onPeerMessage('upload.part', (name) => activeWrites.get(name)?.stop.abort())

/**
 * Writes a part from a stream; returns its new ETag, or the reason of a refusal. Exactly `size` bytes are required. Of
 * concurrent writes of a part the last one is kept: earlier ones are aborted first, also in other processes.
 */
export async function writePart(
  folder: string,
  part: { number: number; size: number },
  source: Readable,
): Promise<{ etag: string } | { refused: PartRefusal }> {
  const name = path.join(folder, String(part.number))
  const stop = new AbortController()
  const previous = activeWrites.get(name)
  previous?.stop.abort()
  sendToPeers('upload.part', name)
  const work = Promise.resolve(previous?.stopped).then(() => receivePart(folder, part, source, stop.signal))
  const own = { stop, stopped: work.catch(() => undefined) }
  activeWrites.set(name, own)
  try {
    return await work
  } finally {
    if (activeWrites.get(name) === own) activeWrites.delete(name)
  }
}

/** Parts that have arrived whole, by number. */
export async function listDiskParts(folder: string): Promise<UploadedPart[]> {
  const existing = (await pathExists(folder)) ? folder : folder + JOINING_SUFFIX
  const names = (await readdir(existing).catch(missingAsFalse)) || []
  const marks = names.filter((name) => /^\d+\.json$/.test(name))
  const parts = await Promise.all(marks.map((name) => readPartRecord(path.join(existing, name))))
  return parts.filter((part) => part !== null).sort((first, other) => first.number - other.number)
}

/** Joins all parts into the target file. Throws when one is missing; may be repeated. */
export async function finishDiskParts(folder: string, target: string): Promise<void> {
  const joining = folder + JOINING_SUFFIX
  await rename(folder, joining).catch(missingAsFalse)
  try {
    await truncateAndFlush(
      path.join(joining, BYTES_FILE),
      requireWholeSize(await listDiskParts(joining), UPLOAD_PART_BYTES),
    )
    await rename(path.join(joining, BYTES_FILE), target)
  } catch (error) {
    const isRestorable = await pathExists(path.join(joining, BYTES_FILE))
    if (isRestorable) await rename(joining, folder)
    else if (!(await pathExists(target))) throw new Error('the upload is not there')
    if (isRestorable) throw error
  }
  await rm(joining, { recursive: true, force: true })
}

export async function abortDiskParts(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await rm(folder + JOINING_SUFFIX, { recursive: true, force: true })
}

/** Uploads whose folder was not written to since `before`. */
export async function* listStaleFolders(
  root: string,
  before: Date,
): AsyncGenerator<{ tenantId: string; uploadId: string }> {
  for (const tenantId of (await readdir(root).catch(missingAsFalse)) || []) {
    for (const name of await readdir(path.join(root, tenantId))) {
      const stats = await stat(path.join(root, tenantId, name)).catch(missingAsFalse)
      if (stats && stats.mtime < before) yield { tenantId, uploadId: name.replace(JOINING_SUFFIX, '') }
    }
  }
}

async function receivePart(
  folder: string,
  { number, size }: { number: number; size: number },
  source: Readable,
  signal: AbortSignal,
): Promise<{ etag: string } | { refused: PartRefusal }> {
  if (signal.aborted) return { refused: 'overtaken' }
  const mark = path.join(folder, `${number}.json`)
  await rm(mark, { force: true })
  const handle = await open(path.join(folder, BYTES_FILE), 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!handle) return { refused: 'unknown' }
  const writer = new PartWriter(handle.fd, (number - 1) * UPLOAD_PART_BYTES, size, source instanceof IncomingMessage)
  try {
    await pipeline(source, writer, { signal })
    if (writer.receivedBytes !== size) return { refused: 'size_differs' }
    await handle.datasync()
  } catch (error) {
    if (signal.aborted) return { refused: 'overtaken' }
    if (writer.overflowed) return { refused: 'size_differs' }
    throw error
  } finally {
    await writer.settled()
    await handle.close()
  }
  if (signal.aborted) return { refused: 'overtaken' }
  const etag = newId()
  return (await writePartRecord(mark, { number, size, etag })) ? { etag } : { refused: 'unknown' }
}

/** Writes one part at its offset in the file; refuses bytes beyond its size, writes several chunks at once. */
class PartWriter extends Writable {
  receivedBytes = 0
  overflowed = false
  readonly #fd: number
  readonly #at: number
  readonly #size: number
  /** Whether this class owns the memory of the chunks and may release it after writing. */
  readonly #ours: boolean
  #last: Promise<unknown> = Promise.resolve()

  constructor(fd: number, at: number, size: number, ours: boolean) {
    super({ highWaterMark: 1024 * 1024 })
    this.#fd = fd
    this.#at = at
    this.#size = size
    this.#ours = ours
  }

  /** Resolves when no write is pending; the file must not be closed before. */
  settled(): Promise<unknown> {
    return this.#last.catch(() => undefined)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#put([chunk], done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#put(
      chunks.map(({ chunk }) => chunk),
      done,
    )
  }

  #put(buffers: Buffer[], done: (error?: Error | null) => void): void {
    const from = this.#at + this.receivedBytes
    for (const buffer of buffers) this.receivedBytes += buffer.length
    this.overflowed = this.receivedBytes > this.#size
    this.#last = this.overflowed
      ? Promise.reject(new Error('more bytes than the part has'))
      : writeAll(this.#fd, buffers, from)
    this.#last.then(() => {
      if (this.#ours) for (const buffer of buffers) releaseMemory(buffer)
      done()
    }, done)
  }
}

// Releases the memory of a chunk at once: a gigabyte of chunks otherwise caused sixty full garbage collections.
function releaseMemory({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

// A write may be partial, e.g. on a full disk; writing the rest then fails with the error.
async function writeAll(fd: number, buffers: Buffer[], at: number): Promise<void> {
  const totalBytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
  const written = await writev(fd, buffers, at)
  if (written < totalBytes) await writeAll(fd, [Buffer.concat(buffers).subarray(written)], at + written)
}

// On the file descriptor: faster than the methods of FileHandle.
function writev(fd: number, buffers: Buffer[], at: number): Promise<number> {
  return new Promise((resolve, reject) =>
    fs.writev(fd, buffers, at, (error, written) => (error ? reject(error) : resolve(written))),
  )
}

async function truncateAndFlush(file: string, size: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(size)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writePartRecord(recordPath: string, part: UploadedPart): Promise<boolean> {
  const temporaryPath = `${recordPath}.${newId()}`
  try {
    await writeFile(temporaryPath, JSON.stringify(part), { mode: FILE_MODE })
    await rename(temporaryPath, recordPath)
    return true
  } catch (error) {
    return missingAsFalse(error)
  }
}

async function readPartRecord(recordPath: string): Promise<UploadedPart | null> {
  const text = await readFile(recordPath, 'utf8').catch(missingAsFalse)
  return text ? JSON.parse(text) : null
}

const pathExists = (place: string): Promise<boolean> => stat(place).then(() => true, missingAsFalse)

function missingAsFalse(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
  throw error
}
