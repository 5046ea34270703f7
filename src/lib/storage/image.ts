import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { readStored, removeStored, writeStored } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canStore } from './rules.ts'
import { FileId, FileName, IMAGE_LIMIT, IMAGE_SIDE } from './schema.ts'
import { file } from './table.ts'

const MOST_PIXELS = 60_000_000
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif'])

export interface StoredImage {
  fileId: string
  /** Address on every host of the product, for those who belong to the school. */
  src: string
  width: number
  height: number
}

/**
 * Keeps a picture. What it is, is read from its bytes, never from its name; it is drawn anew as WebP of at most 2000
 * pixels, so that neither EXIF (place, camera) nor anything hidden in the file survives. SVG can hold scripts and is
 * refused. Refuses with forbidden, plan_inactive, too_large (10 MB), wrong_type, or invalid for an empty file.
 */
export async function storeImage(actor: Actor, input: { name: string; bytes: Uint8Array }): Promise<StoredImage> {
  if (!canStore(actor).allow) throw new Refusal('forbidden')
  requirePlan(actor, 'lms')
  if (input.bytes.length === 0) throw new Refusal('invalid', { fields: { file: ['file_empty'] } })
  if (input.bytes.length > IMAGE_LIMIT) {
    throw new Refusal('too_large', { fields: { file: ['file_too_large'] }, variables: { max: megabytes(actor) } })
  }
  const name = FileName.catch('image').parse(input.name)
  const { data, info } = await redraw(input.bytes, name)
  const fileId = newId()
  await writeStored(actor.tenantId, fileId, data)
  const row = {
    ...{ tenantId: actor.tenantId, id: fileId, name, mime: 'image/webp', size: data.length },
    ...{ sha256: createHash('sha256').update(data).digest('hex'), ownerId: actor.membershipId },
  }
  try {
    await inTenant(actor, (tx) => tx.insert(file).values(row))
  } catch (error) {
    await removeStored(actor.tenantId, fileId)
    throw error
  }
  return { fileId, src: `/v1/file/${fileId}`, width: info.width, height: info.height }
}

export interface StoredFile {
  name: string
  mime: string
  sha256: string | null
  bytes: Uint8Array<ArrayBuffer>
}

/** A file of the actor's school. Refuses with not_found, for a neighbour's file too. */
export async function readFile(actor: Actor, fileId: string): Promise<StoredFile> {
  const row = await findFile(actor, fileId)
  const bytes = await readStored(actor.tenantId, fileId)
  if (!bytes) throw new Refusal('not_found')
  return { ...row, bytes }
}

/** What is known of a file without its bytes. Refuses as readFile. */
export async function findFile(actor: Actor, fileId: string): Promise<Omit<StoredFile, 'bytes'>> {
  if (!FileId.safeParse(fileId).success) throw new Refusal('not_found')
  const [row] = await inTenant(actor, (tx) =>
    tx.select({ name: file.name, mime: file.mime, sha256: file.sha256 }).from(file).where(eq(file.id, fileId)),
  )
  if (!row) throw new Refusal('not_found')
  return row
}

function megabytes(actor: Actor): string {
  const format = new Intl.NumberFormat(actor.locale, { style: 'unit', unit: 'megabyte', unitDisplay: 'short' })
  return format.format(IMAGE_LIMIT / 1024 ** 2)
}

async function redraw(bytes: Uint8Array, name: string) {
  // Its libraries take memory that a process without pictures need not have.
  const { default: sharp } = await import('sharp')
  try {
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    const { format } = await picture.metadata()
    if (!FORMATS.has(format ?? '')) throw new Error('not a format that we draw')
    return await picture
      .autoOrient()
      .resize({ width: IMAGE_SIDE, height: IMAGE_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
  } catch {
    // Whatever the decoder dislikes about bytes from outside, the answer is the same.
    throw new Refusal('wrong_type', { fields: { file: ['file_type'] }, variables: { name } })
  }
}
