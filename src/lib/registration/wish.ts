import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { mustReach } from '#lib/core/mail/reach.ts'
import { limitNetwork } from './email/limits.ts'
import { loadEvent } from './event.ts'
import type { Visitor } from './registration.ts'
import { Wish } from './schema.ts'
import { registrationWish } from './table.ts'

/**
 * Remembers an address that wants to hear of the school's next event, by one letter. The same address again is a success
 * that changes nothing. Refuses with not_found, too_many.
 */
export async function wishNext({ tenantId, locale, address }: Visitor, input: Wish, now = new Date()): Promise<void> {
  const { workshopId, email, timeZone } = Wish.parse(input)
  await limitNetwork(address)
  await mustReach(email)
  await inTenant({ tenantId }, async (tx) => {
    const event = await loadEvent(tx, workshopId)
    if (!event.published) throw new Refusal('not_found')
    const row = {
      tenantId,
      id: newId(),
      workshopId,
      email,
      locale,
      timeZone: timeZone ?? event.timeZone,
      createdAt: now,
    }
    const { tenantId: school, workshopId: about, email: to } = registrationWish
    await tx
      .insert(registrationWish)
      .values(row)
      .onConflictDoUpdate({ target: [school, about, to], set: { toldAt: sql`null`, createdAt: now, locale } })
  })
}
