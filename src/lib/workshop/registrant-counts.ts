import { eq, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireReadableWorkshop } from './permission.ts'
import { workshop } from './table.ts'

/* The registration module depends on this one; its table is read here for counts only. */

/** Number of confirmed registrations of the event in the surrounding query. */
export const confirmedCountSql = sql<number>`(select count(*) from registration r
  where r.tenant_id = workshop.tenant_id and r.workshop_id = workshop.id and r.state = 'confirmed')`.mapWith(Number)

/** Number of confirmed, pending and waitlisted registrations. */
export const interestedCountSql = sql<number>`(select count(*) from registration r
  where r.tenant_id = workshop.tenant_id and r.workshop_id = workshop.id
    and r.state in ('confirmed', 'pending', 'waitlisted'))`.mapWith(Number)

/** Whether the member has registered, by account or by email address. */
export const isRegisteredSql = ({ membershipId, email }: Pick<Actor, 'membershipId' | 'email'>): SQL<boolean> =>
  sql<boolean>`exists (select 1 from registration r
    where r.tenant_id = workshop.tenant_id and r.workshop_id = workshop.id
      and (r.member_id = ${membershipId} or r.email = ${email}) and r.state in ('confirmed', 'pending', 'waitlisted'))`

export interface RegistrantCounts {
  /** Confirmed registrations. */
  confirmed: number
  /** Confirmed, pending and waitlisted registrations. */
  interested: number
}

/** Number of registrants that a change of an event affects. Refuses with forbidden, not_found. */
export function countRegistrants(actor: Actor, input: { workshopId: string }): Promise<RegistrantCounts> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    return readRegistrantCounts(tx, workshopId)
  })
}

/** The same without an authorization check. */
export async function readRegistrantCounts(tx: Tx, workshopId: string): Promise<RegistrantCounts> {
  const [row] = await tx
    .select({ confirmed: confirmedCountSql, interested: interestedCountSql })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  return row ?? { confirmed: 0, interested: 0 }
}
