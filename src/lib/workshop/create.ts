import { and, count, isNull } from 'drizzle-orm'
import { requireRoom } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { must, mustWritePlan } from './permission.ts'
import { canCreateWorkshop } from './rules.ts'
import { CreateWorkshop, WorkshopSettings } from './schema.ts'
import { emptyRoom } from './state-rules.ts'
import { workshop, workshopSession, workshopStaff } from './table.ts'

/**
 * Makes an event as a draft with whoever makes it as its host, and the one session of a webinar or a masterclass (an
 * auto-webinar's come with its plan). Refuses with forbidden, plan_inactive, invalid, and unprocessable when the plan's
 * number of events is used up.
 */
export async function createWorkshop(
  actor: Actor,
  input: CreateWorkshop,
): Promise<{ workshopId: string; sessionId: string | null }> {
  must(canCreateWorkshop(actor))
  mustWritePlan(actor)
  const { startAt, ...facts } = CreateWorkshop.parse(input)
  const settings = WorkshopSettings.parse({})
  return inTenant(actor, async (tx) => {
    requireRoom(actor, 'workshop_count', await countWorkshops(tx))
    const workshopId = newId()
    const { tenantId, membershipId } = actor
    const start = startAt ? new Date(startAt) : null
    await tx
      .insert(workshop)
      .values({ ...facts, tenantId, id: workshopId, startAt: start, settings, createdBy: membershipId })
    await tx.insert(workshopStaff).values({ tenantId, workshopId, memberId: membershipId, role: 'host' })
    if (facts.type === 'autoWebinar') return { workshopId, sessionId: null }
    const sessionId = newId()
    await tx.insert(workshopSession).values({
      ...{ tenantId, id: sessionId, workshopId, startAt: start, plannedMinutes: facts.plannedMinutes },
      kind: facts.type === 'webinar' ? 'live' : 'onDemand',
      state: emptyRoom(settings.chat, facts.slidesFileId),
    })
    return { workshopId, sessionId }
  })
}

async function countWorkshops(tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ used: count() })
    .from(workshop)
    .where(and(isNull(workshop.archivedAt), isNull(workshop.canceledAt)))
  return row?.used ?? 0
}
