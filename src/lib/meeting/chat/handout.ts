import { and, eq, isNull } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { originalUrl } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import type { GetHandout } from './schema.ts'
import { requireChatAction } from './send-message.ts'

/**
 * URL of a hand-out that is shown now; a file URL is valid for two hours. Refuses with unauthorized, forbidden, and
 * not_found when it is not shown or its file is deleted.
 */
export async function getHandout(input: GetHandout): Promise<{ address: string }> {
  const { seatToken, handoutId } = input
  const participant = await requireChatAction(seatToken, 'read')
  const handout = participant.session.state.handouts.find((handout) => handout.handoutId === handoutId)
  if (!handout) throw new Refusal('not_found')
  const { fileId, url } = handout.content
  if (!fileId && url) return { address: url }
  if (!fileId) throw new Refusal('not_found')
  const { id, name, mime } = file
  const [storedFile] = await inTenant(participant, (tx) =>
    tx
      .select({ id, name, mime })
      .from(file)
      .where(and(eq(id, fileId), isNull(file.deletedAt))),
  )
  if (!storedFile) throw new Refusal('not_found')
  return { address: originalUrl({ tenantId: participant.tenantId, viewer: ANYONE }, storedFile, { download: true }) }
}
