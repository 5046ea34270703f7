import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { parseStored } from '../shared/parse-stored.ts'

/*
 * A backup is a folder:
 *   manifest.json           the expected contents
 *   tables/<table>.jsonl.gz one row a line, as PostgreSQL writes it as JSON
 *   jobs.jsonl.gz           pending jobs
 *   files.jsonl.gz          path, size and SHA-256 of all files below
 *   files/<key>             objects of the store
 *   data/<path>             files of the data directory
 */

const StoredFile = z.object({ rows: z.number(), sha256: z.string() })

export const BackupManifest = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** `when` of every migration that the database had, the oldest first. */
  migrations: z.array(z.number()),
  /** `checksum` is of the rows themselves, as the database sums them up; `sha256` of the file. */
  tables: z.record(z.string(), StoredFile.extend({ checksum: z.string() })),
  jobs: StoredFile.extend({ names: z.array(z.string()) }),
  files: StoredFile.extend({ bytes: z.number() }),
  /** Files of the database whose objects were missing in the store. */
  missing: z.array(z.string()),
})
export type BackupManifest = z.infer<typeof BackupManifest>

export const ArchivedFile = z.object({ path: z.string(), size: z.number(), sha256: z.string() })
export type ArchivedFile = z.infer<typeof ArchivedFile>

export const MANIFEST_FILE = 'manifest.json'
export const JOBS_FILE = 'jobs.jsonl.gz'
export const FILES_LIST = 'files.jsonl.gz'
export const tableFilePath = (table: string): string => path.join('tables', `${table}.jsonl.gz`)

/**
 * Reads and validates the manifest of a backup folder. Throws when there is none, or when its format is not supported.
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  return parseStored(BackupManifest, JSON.parse(await readFile(path.join(folder, MANIFEST_FILE), 'utf8')))
}

/** Writes lines to a gzip file; each batch is requested when the previous one is written. */
export async function writeLines(
  file: string,
  batches: AsyncIterable<readonly string[]>,
): Promise<z.infer<typeof StoredFile>> {
  let rows = 0
  const text = async function* () {
    for await (const batch of batches) {
      rows += batch.length
      yield batch.map((line) => `${line}\n`).join('')
    }
  }
  const hash = createHash('sha256')
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const to = createWriteStream(file, { mode: 0o600, flush: true })
  await pipeline(Readable.from(text()), createGzip({ level: 6 }), hashChunks(hash), to)
  return { rows, sha256: hash.digest('hex') }
}

/** The lines of a gzip file. readline is not used because it treats U+2028 as the end of a line. */
export async function* readLines(file: string): AsyncGenerator<string> {
  let rest = ''
  const stream = createReadStream(file)
  const text = stream.pipe(createGunzip()).setEncoding('utf8')
  stream.on('error', (error) => text.destroy(error))
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') throw new Error(`${file} ends in the middle of a line`)
}

/** Copies a stream into a new file and returns the number of bytes and their SHA-256. */
export async function writeStream(file: string, from: Readable): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const counting = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      size += chunk.length
      yield chunk
    }
  }
  await pipeline(from, counting, hashChunks(hash), createWriteStream(file, { mode: 0o600, flush: true }))
  return { size, sha256: hash.digest('hex') }
}

export async function computeSha256(from: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of from) hash.update(chunk)
  return hash.digest('hex')
}

function hashChunks(hash: Hash) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
}
