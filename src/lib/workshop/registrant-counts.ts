import { eq, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireReadableWorkshop } from './permission.ts'
import { WorkshopId } from './schema.ts'
import { workshop } from './table.ts'

/*
 * The registration room stands above this one; its table is only read here, and only to count.
 */

/** How many have a seat at the event of the surrounding query. */
export const confirmedCountSql = sql<number>`(select count(*) from registration r
  where r.tenant_id = workshop.tenant_id and r.workshop_id = workshop.id and r.state = 'confirmed')`.mapWith(Number)

/** How many still want to come to it: with a seat, waiting for one or for a word of the school. */
export const interestedCountSql = sql<number>`(select count(*) from registration r
  where r.tenant_id = workshop.tenant_id and r.workshop_id = workshop.id
    and r.state in ('confirmed', 'pending', 'waitlisted'))`.mapWith(Number)

/** Whether a member of the school has registered for it, by account or by address. */
export const isRegisteredSql = ({ membershipId, email }: Pick<Actor, 'membershipId' | 'email'>): SQL<boolean> =>
  sql<boolean>`exists (select 1 from registration r
    where r.tenant_id = workshop.tenant_id and r.workshop_id = workshop.id
      and (r.member_id = ${membershipId} or r.email = ${email}) and r.state in ('confirmed', 'pending', 'waitlisted'))`

export interface RegistrantCounts {
  /** With a seat. */
  confirmed: number
  /** Those and the ones who wait. */
  wanting: number
}

/** How many a change of an event would concern. Refuses with forbidden, not_found. */
export function countRegistrants(actor: Actor, input: { workshopId: string }): Promise<RegistrantCounts> {
  const { workshopId } = WorkshopId.parse(input)
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    return readRegistrantCounts(tx, workshopId)
  })
}

/** The same without asking who wants to know. */
export async function readRegistrantCounts(tx: Tx, workshopId: string): Promise<RegistrantCounts> {
  const [found] = await tx
    .select({ confirmed: confirmedCountSql, wanting: interestedCountSql })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  return found ?? { confirmed: 0, wanting: 0 }
}
