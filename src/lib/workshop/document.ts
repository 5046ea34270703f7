import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { originalUrl } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import type { HandoutContent } from './session/event-schema.ts'

/** Public, expiring URL of a file of an event; null without a file, and for a deleted one. */
export async function findDocumentAddress(tx: Tx, tenantId: string, fileId: string | null): Promise<string | null> {
  if (!fileId) return null
  const { id, name, mime } = file
  const [row] = await tx
    .select({ id, name, mime })
    .from(file)
    .where(and(eq(id, fileId), isNull(file.deletedAt)))
  return row ? originalUrl({ tenantId, viewer: ANYONE }, row) : null
}

/** A hand-out with its URL. */
export interface HandoutLink {
  id: string
  title: string
  address: string
  /** A file of the storage, not an external link. */
  file: boolean
}

/** Hand-outs with URLs; those with a deleted file are omitted. */
export async function resolveHandouts(
  tx: Tx,
  tenantId: string,
  handouts: readonly { id: string; content: HandoutContent }[],
): Promise<HandoutLink[]> {
  const given: HandoutLink[] = []
  for (const { id, content } of handouts) {
    const { title, fileId, url } = content
    const address = fileId ? await findDocumentAddress(tx, tenantId, fileId) : url
    if (address) given.push({ id, title, address, file: fileId !== null })
  }
  return given
}
