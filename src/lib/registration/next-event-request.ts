import { sql } from 'drizzle-orm'
import { countUnconfirmedEmail } from '#lib/billing/unconfirmed-emails/unconfirmed-emails.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import { throttleMailbox, throttleNetwork } from './email/limits.ts'
import { requireEvent } from './event.ts'
import type { RegistrationVisitor } from './registration.ts'
import type { NextEventRequest } from './schema.ts'
import { nextEventRequest } from './table.ts'

/** Saves a request for one email about the tenant's next event. Idempotent. Refuses with not_found, too_many. */
export async function requestNextEventEmail(
  { tenantId, actor, locale, address }: RegistrationVisitor,
  input: NextEventRequest,
  now = new Date(),
): Promise<void> {
  const { workshopId, email, timeZone } = input
  await throttleNetwork(address)
  await requireDeliverable(email)
  if (actor?.email !== email) {
    await throttleMailbox(email)
    // The email is sent when the school publishes an event, to the typed address.
    await countUnconfirmedEmail(tenantId, { kind: 'own', to: email, address })
  }
  await inTenant({ tenantId }, async (tx) => {
    const event = await requireEvent(tx, workshopId)
    if (!event.isPublished) throw new Refusal('not_found')
    const row = {
      tenantId,
      id: newId(),
      workshopId,
      email,
      locale,
      timeZone: timeZone ?? event.timeZone,
      createdAt: now,
    }
    const { tenantId: school, workshopId: about, email: to } = nextEventRequest
    await tx
      .insert(nextEventRequest)
      .values(row)
      .onConflictDoUpdate({ target: [school, about, to], set: { notifiedAt: sql`null`, createdAt: now, locale } })
  })
}
