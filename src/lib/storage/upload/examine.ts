import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { sampledRanges, sampleFrom } from '#lib/core/shared/event/sample.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { file } from '../table.ts'
import { createPictureSizes, type PictureSizes } from '../video/responsive.ts'
import { countDerivedBytes } from './quota.ts'

/** Reading twenty gigabytes from a remote bucket takes hours. */
export const EXAMINE_HOURS = 4

/** Queues the examination of an uploaded file, in the surrounding transaction. */
export const queueExamination = (tenantId: string, fileId: string): Promise<void> =>
  enqueueJob('storage.examine', { tenantId, fileId }, { singletonKey: fileId, timeoutHours: EXAMINE_HOURS })

/** Reads an uploaded file: its SHA-256 and sample, and the dimensions and smaller versions of a picture. Idempotent. */
export async function examineFile(
  { tenantId, fileId }: { tenantId: string; fileId: string },
  { signal }: Partial<Pick<JobRun, 'signal'>> = {},
): Promise<void> {
  const row = await inTenant({ tenantId }, async (tx) => {
    const { kind, size, sha256, widths } = file
    const [row] = await tx.select({ kind, size, sha256, widths }).from(file).where(eq(file.id, fileId))
    return row
  })
  if (!row) return
  const key = objectKey(tenantId, fileId)
  const digests = row.sha256 ? {} : { sha256: await hashObject(key, signal), sample: await sampleObject(key, row.size) }
  const pictures = row.kind === 'image' && row.widths.length === 0 ? await storePictureSizes(tenantId, fileId) : null
  const exists = await inTenant({ tenantId }, async (tx) => {
    const [current] = await tx.select({ widths: file.widths }).from(file).where(eq(file.id, fileId)).for('update')
    if (!current) return false
    const fresh = current.widths.length === 0 ? pictures : null
    if (fresh) await countDerivedBytes(tx, tenantId, fresh.bytes)
    const changes = { ...digests, ...fresh?.pictures }
    if (Object.keys(changes).length === 0) return true
    await tx.update(file).set(changes).where(eq(file.id, fileId))
    await publishStorageEvent({ fileId, event: 'changed' })
    return true
  })
  // The file was deleted while it was read: derived objects must not remain.
  if (!exists) await store.removeFile(tenantId, fileId)
}

async function hashObject(key: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await requireBytes(key)) {
    signal?.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}

async function sampleObject(key: string, size: number): Promise<string> {
  const { first, last } = sampledRanges(size)
  return sampleFrom(size, await readRange(key, first), await readRange(key, last))
}

async function readRange(key: string, { start, end }: { start: number; end: number }): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of await requireBytes(key, { start, end: end - 1 })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function requireBytes(key: string, range?: { start: number; end: number }): Promise<Readable> {
  const bytes = await store.read(key, range && { range })
  if (!bytes) throw new Error('a file has no bytes in the object store')
  return bytes
}

/** Stores the smaller versions and returns them with their size in bytes. */
async function storePictureSizes(
  tenantId: string,
  fileId: string,
): Promise<{ pictures: PictureSizes; bytes: number } | null> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'kafedra-picture-'))
  try {
    const localCopy = await store.openLocalCopy(objectKey(tenantId, fileId), scratch)
    if (!localCopy) return null
    let bytes = 0
    const pictures = await createPictureSizes(localCopy.path, async (name, picture) => {
      bytes += picture.length
      await store.put(`${objectKey(tenantId, fileId)}.made/image/${name}`, picture)
    }).finally(() => localCopy.done())
    return pictures && { pictures, bytes }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
