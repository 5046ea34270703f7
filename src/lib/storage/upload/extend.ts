import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MAX_FILE_BYTES } from '#lib/core/shared/stored-file.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { upload } from '../table.ts'
import { reserveBytes } from './quota.ts'

export interface UploadExtension {
  uploadId: string
  /** The new size in bytes. */
  size: number
  /** Size limit in bytes. */
  maxBytes: number
}

/**
 * Extends an upload of unknown length, such as a recording. It grows by whole parts until the last bytes are known. The
 * current size changes nothing. Refuses with not_found, gone when it has ended, invalid for a smaller size or after the
 * last part, too_large, disk_full, unprocessable (storage_full).
 */
export async function extendUpload(tx: Tx, actor: Actor, { uploadId, size, maxBytes }: UploadExtension): Promise<void> {
  const [row] = await tx
    .select({ size: upload.size, state: upload.state })
    .from(upload)
    .where(and(eq(upload.id, uploadId), eq(upload.ownerId, actor.membershipId)))
    .for('update')
  if (!row) throw new Refusal('not_found')
  if (row.state !== 'uploadStarted') throw new Refusal('gone')
  if (size === row.size) return
  if (size < row.size || row.size % UPLOAD_PART_BYTES !== 0)
    throw new Refusal('invalid', { fields: { size: ['format'] } })
  const max = Math.min(maxBytes, MAX_FILE_BYTES)
  if (size > max) throw new Refusal('too_large', { fields: { file: ['file_too_large'] }, variables: { max } })
  await reserveBytes(tx, actor, size - row.size)
  await tx.update(upload).set({ size, touchedAt: new Date() }).where(eq(upload.id, uploadId))
}
