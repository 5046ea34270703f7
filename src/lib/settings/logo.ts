import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { deleteLogo, saveLogo, updateTenant } from '#lib/tenant/settings.ts'
import { tenantLogo } from '#lib/tenant/table.ts'
import { requireSettingsManager } from './permission.ts'
import { lockOwnTenant, recordSettings } from './settings.ts'

export const MAX_LOGO_BYTES = 900_000
const LOGO_SIDE_PX = 256
/** Maximum pixels of the uploaded image, against decompression bombs. */
const MAX_PIXELS = 25_000_000
const FORMATS = new Set(['jpeg', 'png', 'webp'])

/**
 * Sets the logo of the school: a PNG, JPEG or WebP of at most 900 kB, stored as PNG without metadata. Refuses with
 * forbidden, invalid (file_empty), too_large and wrong_type for any other file.
 */
export async function setLogo(actor: Actor, bytes: Uint8Array): Promise<{ hash: string }> {
  requireSettingsManager(actor)
  if (bytes.length === 0) throw new Refusal('invalid', { fields: { logo: ['file_empty'] } })
  if (bytes.length > MAX_LOGO_BYTES) {
    throw new Refusal('too_large', { fields: { logo: ['file_too_large'] }, variables: { max: MAX_LOGO_BYTES } })
  }
  const image = await resizeLogo(bytes)
  const hash = createHash('sha256').update(image).digest('hex')
  return inTenant(actor, async (tx) => {
    const before = await lockOwnTenant(tx, actor)
    if (before.logoHash === hash) return { hash }
    await saveLogo(tx, actor.tenantId, { hash, image })
    await updateTenant(tx, actor.tenantId, { logoHash: hash })
    await recordSettings(tx, actor, { logo: before.logoHash }, { logo: hash })
    return { hash }
  })
}

/** Removes the logo; a second call changes nothing. Refuses with forbidden. */
export async function removeLogo(actor: Actor): Promise<void> {
  requireSettingsManager(actor)
  await inTenant(actor, async (tx) => {
    const before = await lockOwnTenant(tx, actor)
    if (before.logoHash === null) return
    await updateTenant(tx, actor.tenantId, { logoHash: null })
    await deleteLogo(tx, actor.tenantId)
    await recordSettings(tx, actor, { logo: before.logoHash }, { logo: null })
  })
}

/** The PNG with this hash that is a tenant's logo, or null. Logos are public. */
export async function readLogo(tenantId: string, hash: string): Promise<Buffer | null> {
  const [row] = await inSystem((tx) =>
    tx
      .select({ image: tenantLogo.image })
      .from(tenantLogo)
      .where(and(eq(tenantLogo.tenantId, tenantId), eq(tenantLogo.hash, hash))),
  )
  return row?.image ?? null
}

/** Re-encoding removes metadata and hidden data. SVG can contain scripts and is refused. */
async function resizeLogo(bytes: Uint8Array): Promise<Buffer> {
  const wrongType = () => new Refusal('wrong_type', { fields: { logo: ['logo_type'] } })
  // sharp takes memory that a process without pictures does not need.
  const { default: sharp } = await import('sharp')
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    const { format } = await picture.metadata()
    if (!FORMATS.has(format)) throw wrongType()
    return await picture
      .autoOrient()
      .resize({ width: LOGO_SIDE_PX, height: LOGO_SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch (error) {
    if (error instanceof Refusal) throw error
    // Every error of the decoder means an invalid file.
    throw wrongType()
  }
}
