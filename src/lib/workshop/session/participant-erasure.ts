import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/** Removes name and email address of a person from the participants of events. Returns their ids. */
export async function eraseParticipants(
  tx: Tx,
  { memberId, email }: { memberId: string; email: string },
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    update workshop_participant set name = '', email = null, device = null
    where tenant_id = current_tenant() and (member_id = ${memberId} or email = ${email}) returning id`)
  return rows.map(({ id }) => id)
}
