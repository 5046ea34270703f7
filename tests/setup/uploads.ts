import path from 'node:path'
import { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { uploadsFolder, writePart } from '#lib/core/files/disk/disk-parts.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import type { StoredFileView } from '#lib/storage/file-view.ts'
import { upload } from '#lib/storage/table.ts'
import { finishUpload } from '#lib/storage/upload/finish.ts'
import { startUpload } from '#lib/storage/upload/upload.ts'

/** Returns the description of a file that a browser sends before an upload. */
export async function describeUpload(name: string, bytes: Uint8Array<ArrayBuffer>, parentId: string | null = null) {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('base64')
  return { parentId, name, size: bytes.length, head, sample: await sampleOf(new Blob([bytes])) }
}

/** Starts an upload and sends all its parts. Returns its id. */
export async function sendUpload(
  actor: Actor,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  parentId: string | null = null,
) {
  const { uploadId, partBytes, parts } = await startUpload(actor, await describeUpload(name, bytes, parentId))
  for (let number = 1; number <= parts; number += 1) {
    await sendPart(actor, uploadId, number, bytes.subarray((number - 1) * partBytes, number * partBytes))
  }
  return uploadId
}

/** Uploads a file completely. */
export async function uploadFile(
  actor: Actor,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  parentId: string | null = null,
): Promise<StoredFileView> {
  return finishUpload(actor, { uploadId: await sendUpload(actor, name, bytes, parentId) })
}

/** Stores one part where the endpoint for parts stores it. */
export async function sendPart(actor: Actor, uploadId: string, number: number, bytes: Uint8Array): Promise<void> {
  const [row] = await inTenant(actor, (tx) =>
    tx.select({ storeId: upload.storeId }).from(upload).where(eq(upload.id, uploadId)),
  )
  const folder = path.join(uploadsFolder(path.join(config.dataDir, 'files')), actor.tenantId, row?.storeId ?? '')
  const result = await writePart(folder, { number, size: bytes.length }, Readable.from([bytes]))
  if ('refused' in result) throw new Error(`a part was refused: ${result.refused}`)
}
