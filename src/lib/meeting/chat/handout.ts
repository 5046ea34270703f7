import { and, eq, isNull } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/ticket.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { originalAddress } from '#lib/storage/signed.ts'
import { file } from '#lib/storage/table.ts'
import { mustChat } from './say.ts'
import { GetHandout } from './schema.ts'

/**
 * The address of a hand-out that is shown now: a file's opens for two hours. Refuses with unauthorized, forbidden,
 * not_found when it is not shown or its file is gone.
 */
export async function getHandout(input: GetHandout): Promise<{ address: string }> {
  const { ticket, handoutId } = GetHandout.parse(input)
  const sitting = await mustChat(ticket, 'read')
  const shown = sitting.session.state.handouts.find((one) => one.handoutId === handoutId)
  if (!shown) throw new Refusal('not_found')
  const { fileId, url } = shown.content
  if (!fileId && url) return { address: url }
  if (!fileId) throw new Refusal('not_found')
  const { id, name, mime } = file
  const [found] = await inTenant(sitting, (tx) =>
    tx
      .select({ id, name, mime })
      .from(file)
      .where(and(eq(id, fileId), isNull(file.deletedAt))),
  )
  if (!found) throw new Refusal('not_found')
  return { address: originalAddress({ tenantId: sitting.tenantId, viewer: ANYONE }, found, { download: true }) }
}
