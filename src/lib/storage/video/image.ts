import { createHash } from 'node:crypto'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { FILE_PATH, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE_PX } from '#lib/core/shared/stored-file.ts'
import { fileViewColumns, type StoredFileView } from '../file-view.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { requireStorageWrite } from '../permission.ts'
import { FileId, FileName } from '../schema.ts'
import { file, fileState } from '../table.ts'
import { queueExamination } from '../upload/examine.ts'
import { countOriginalBytes } from '../upload/quota.ts'
import { MAX_IMAGE_PIXELS } from './responsive.ts'

const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif'])

export interface StoredImage {
  fileId: string
  /** URL in the text; accessible for team members. */
  src: string
  width: number
  height: number
}

/**
 * Stores a picture for a text. The type is detected from its bytes; it is re-encoded as WebP of at most 2000 pixels,
 * which removes EXIF (place, camera) and hidden data; smaller versions follow by a job. SVG can contain scripts and is
 * refused. Refuses with forbidden, plan_inactive, too_large (10 MB), wrong_type, invalid for an empty file, or
 * unprocessable (storage_full).
 */
export async function storeImage(actor: Actor, input: { name: string; bytes: Uint8Array }): Promise<StoredImage> {
  requireStorageWrite(actor)
  if (input.bytes.length === 0) throw new Refusal('invalid', { fields: { file: ['file_empty'] } })
  if (input.bytes.length > MAX_IMAGE_BYTES) {
    const variables = { max: MAX_IMAGE_BYTES }
    throw new Refusal('too_large', { fields: { file: ['file_too_large'] }, variables })
  }
  const name = FileName.catch('image').parse(input.name)
  const { data, width, height } = await reencode(input.bytes, name)
  const { tenantId, membershipId: ownerId } = actor
  const id = newId()
  const row = {
    tenantId,
    id,
    ownerId,
    name,
    kind: 'image' as const,
    mime: 'image/webp',
    size: data.length,
    width,
    height,
    sha256: createHash('sha256').update(data).digest('hex'),
    sample: await sampleOf(new Blob([data])),
  }
  await store.put(objectKey(tenantId, id), data)
  try {
    await inTenant(actor, async (tx) => {
      await countOriginalBytes(tx, actor, row.size)
      await tx.insert(file).values(row)
      await tx.insert(fileState).values({ tenantId, fileId: id, event: 'uploadFinished' })
      await queueExamination(tenantId, id)
      await publishStorageEvent({ fileId: id, event: 'uploadFinished', folderId: null })
    })
  } catch (error) {
    await store.removeFile(tenantId, id)
    throw error
  }
  return { fileId: id, src: `${FILE_PATH}${id}`, width, height }
}

/** A file by its id. Refuses with not_found, also for a file of another tenant and in the trash. */
export async function findFile(actor: Actor, fileId: string): Promise<StoredFileView> {
  if (!FileId.safeParse(fileId).success) throw new Refusal('not_found')
  const [row] = await inTenant(actor, (tx) =>
    tx
      .select(fileViewColumns)
      .from(file)
      .where(and(eq(file.id, fileId), eq(file.area, 'storage'), ne(file.kind, 'folder'), isNull(file.deletedAt))),
  )
  if (!row) throw new Refusal('not_found')
  return row
}

async function reencode(bytes: Uint8Array, name: string) {
  // sharp takes memory that a process without pictures does not need.
  const { default: sharp } = await import('sharp')
  try {
    const decoderOptions = { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' } as const
    const { format, pages = 1 } = await sharp(bytes, decoderOptions).metadata()
    if (!FORMATS.has(format ?? '')) throw new Error('not a format that we draw')
    const isAnimated = pages > 1 && format !== 'heif'
    const picture = isAnimated
      ? sharp(bytes, { ...decoderOptions, animated: true })
      : sharp(bytes, decoderOptions).autoOrient()
    const { data, info } = await picture
      .resize({ width: MAX_IMAGE_SIDE_PX, height: MAX_IMAGE_SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
    return { data: Buffer.from(data), width: info.width, height: info.pageHeight ?? info.height }
  } catch {
    // All decoder errors mean an invalid picture.
    throw new Refusal('wrong_type', { fields: { file: ['file_type'] }, variables: { name } })
  }
}
