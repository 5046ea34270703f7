import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { eraseRecipients } from '#lib/outbox/erasure.ts'
import type { ErasedPerson } from '#lib/student/card/section.ts'

/**
 * Removes the personal data of a person from the registrations of the school, including those as a guest. Counts of
 * events are not changed.
 */
export async function eraseRegistrations(tx: Tx, { studentId, email }: ErasedPerson): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    update registration set email = id::text || '@deleted.invalid', name = '', phone = null, answers = '{}', source = '{}',
      network_digest = null
    where tenant_id = current_tenant() and (member_id = ${studentId} or email = ${email}) returning id`)
  await eraseRecipients(
    tx,
    rows.map(({ id }) => id),
  )
  await tx.execute(sql`delete from next_event_request where tenant_id = current_tenant() and email = ${email}`)
}
