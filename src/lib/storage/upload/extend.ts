import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/part.ts'
import { MAX_FILE_BYTES } from '#lib/core/shared/storing.ts'
import { upload } from '../table.ts'
import { promiseBytes } from './quota.ts'

export interface Growth {
  uploadId: string
  /** Bytes of the upload from now on. */
  size: number
  /** Bytes at most. */
  most: number
}

/**
 * Makes an own upload longer whose length is not known when it begins, such as a recording. It grows by whole parts until
 * its last bytes are known. The size that it has already changes nothing. Refuses with not_found, gone when it has ended,
 * invalid for fewer bytes or behind a last part, too_large, disk_full, unprocessable (storage_full).
 */
export async function growUpload(tx: Tx, actor: Actor, { uploadId, size, most }: Growth): Promise<void> {
  const [found] = await tx
    .select({ size: upload.size, state: upload.state })
    .from(upload)
    .where(and(eq(upload.id, uploadId), eq(upload.ownerId, actor.membershipId)))
    .for('update')
  if (!found) throw new Refusal('not_found')
  if (found.state !== 'uploadStarted') throw new Refusal('gone')
  if (size === found.size) return
  if (size < found.size || found.size % UPLOAD_PART_BYTES !== 0)
    throw new Refusal('invalid', { fields: { size: ['format'] } })
  const max = Math.min(most, MAX_FILE_BYTES)
  if (size > max) throw new Refusal('too_large', { fields: { file: ['file_too_large'] }, variables: { max } })
  await promiseBytes(tx, actor, size - found.size)
  await tx.update(upload).set({ size, touchedAt: new Date() }).where(eq(upload.id, uploadId))
}
