import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SaveSecondZone } from './schema.ts'
import { scheduleReader } from './table.ts'

export interface ScheduleReader {
  /** Zone in which times are shown in addition. */
  secondZone: string | null
  /** Creation of the calendar feed; null: there is none. */
  feedCreatedAt: Date | null
}

/** The settings of the schedule of the actor. */
export async function getScheduleReader(actor: Actor): Promise<ScheduleReader> {
  const { secondZone, feedCreatedAt, memberId } = scheduleReader
  const [row] = await inTenant(actor, (tx) =>
    tx.select({ secondZone, feedCreatedAt }).from(scheduleReader).where(eq(memberId, actor.membershipId)),
  )
  return row ?? { secondZone: null, feedCreatedAt: null }
}

/** Sets the second zone of the schedule of the actor; null for none. */
export async function saveSecondZone(actor: Actor, { secondZone }: SaveSecondZone): Promise<SaveSecondZone> {
  const { tenantId, membershipId: memberId } = actor
  await inTenant(actor, (tx) =>
    tx
      .insert(scheduleReader)
      .values({ tenantId, memberId, secondZone })
      .onConflictDoUpdate({ target: [scheduleReader.tenantId, scheduleReader.memberId], set: { secondZone } }),
  )
  return { secondZone }
}
