import { buffer } from 'node:stream/consumers'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant, readUntenanted } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { objectKey } from '#lib/storage/object-key.ts'
import { file } from '#lib/storage/table.ts'
import { tenantLogo } from '#lib/tenant/table.ts'
import type { TemplateText } from './schema.ts'

/** The ids of the files of a template. */
export function templateFileIdsOf({
  backgroundFileId,
  elements,
}: Pick<TemplateText, 'backgroundFileId' | 'elements'>): string[] {
  const ids = elements.flatMap((element) =>
    (element.kind === 'image' || element.kind === 'signature') && element.fileId ? [element.fileId] : [],
  )
  return [...new Set(backgroundFileId ? [backgroundFileId, ...ids] : ids)]
}

const showsLogo = ({ elements }: TemplateText): boolean =>
  elements.some((element) => element.kind === 'image' && element.fileId === null)

/**
 * Bytes of the images of a template by the id of their file; the logo of the school is `logo`. Missing ones are
 * omitted.
 */
export async function loadImages(tenantId: string, template: TemplateText): Promise<Record<string, Uint8Array>> {
  const ids = templateFileIdsOf(template)
  const images: Record<string, Uint8Array> = {}
  if (ids.length > 0) {
    const rows = await inTenant({ tenantId }, (tx) =>
      tx
        .select({ id: file.id })
        .from(file)
        .where(and(inArray(file.id, ids), eq(file.kind, 'image'), isNull(file.deletedAt))),
    )
    for (const { id } of rows) {
      const stream = await store.read(objectKey(tenantId, id))
      if (stream) images[id] = await buffer(stream)
    }
  }
  if (showsLogo(template)) {
    const [logo] = await readUntenanted((tx) =>
      tx.select({ image: tenantLogo.image }).from(tenantLogo).where(eq(tenantLogo.tenantId, tenantId)),
    )
    if (logo) images.logo = logo.image
  }
  return images
}
