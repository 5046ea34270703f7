import { and, count, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { requireWithinLimit } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireEventPermission, requireWorkshopPlan } from '../permission.ts'
import { canCreateWorkshop } from '../rules.ts'
import { type CreateWorkshop, WorkshopSettings } from '../schema.ts'
import { initialRoomState } from '../session/state-rules.ts'
import { workshop, workshopSession, workshopStaff } from '../table.ts'
import { requireFittingFiles } from './file-check.ts'
import { recordEventFileUse } from './file-use.ts'

/**
 * Creates a draft event with the actor as host, and the single session of a webinar or masterclass (those of an
 * auto-webinar come from its plan). Refuses with forbidden, plan_inactive, invalid, not_found and wrong_type for a
 * file, and unprocessable when the plan's number of events is used up.
 */
export async function createWorkshop(
  actor: Actor,
  input: CreateWorkshop,
): Promise<{ workshopId: string; sessionId: string | null }> {
  requireEventPermission(canCreateWorkshop(actor))
  requireWorkshopPlan(actor)
  const { type, ...facts } = input
  return inTenant(actor, async (tx) => {
    await requireFittingFiles(actor, facts)
    const made = await insertWorkshop(tx, actor, { type, ...facts, settings: WorkshopSettings.parse({}) })
    await tx.insert(workshopStaff).values({
      tenantId: actor.tenantId,
      workshopId: made.workshopId,
      memberId: actor.membershipId,
      role: 'host',
    })
    await recordEventFileUse(tx, actor, made.workshopId)
    return made
  })
}

/**
 * Checks before the form is filled in what `createWorkshop` would refuse. Refuses with forbidden, plan_inactive, and
 * unprocessable when the plan's number of events is used up.
 */
export async function requireEventCreation(actor: Actor): Promise<void> {
  requireEventPermission(canCreateWorkshop(actor))
  requireWorkshopPlan(actor)
  await inTenant(actor, async (tx) => requireWithinLimit(actor, 'workshop_count', await countWorkshops(tx)))
}

type NewWorkshop = z.output<typeof CreateWorkshop> & { settings: WorkshopSettings }

/** The rows of a new draft, without its staff. Refuses with unprocessable when the plan's number of events is used up. */
export async function insertWorkshop(
  tx: Tx,
  { tenantId, membershipId, ...actor }: Actor,
  { startAt, ...facts }: NewWorkshop,
): Promise<{ workshopId: string; sessionId: string | null }> {
  await requireWorkshopLimit(tx, { tenantId, ...actor })
  const workshopId = newId()
  const start = startAt ? new Date(startAt) : null
  await tx.insert(workshop).values({ ...facts, tenantId, id: workshopId, startAt: start, createdBy: membershipId })
  if (facts.type === 'autoWebinar') return { workshopId, sessionId: null }
  const sessionId = newId()
  await tx.insert(workshopSession).values({
    tenantId,
    id: sessionId,
    workshopId,
    startAt: start,
    plannedMinutes: facts.plannedMinutes,
    kind: facts.type === 'webinar' ? 'live' : 'onDemand',
    state: initialRoomState(facts.settings.chat, facts.slidesFileId),
  })
  return { workshopId, sessionId }
}

/** Requires a free slot for one more event that is neither archived nor canceled. Refuses with unprocessable. */
export async function requireWorkshopLimit(tx: Tx, actor: Pick<Actor, 'tenantId' | 'plans' | 'addOns'>): Promise<void> {
  // The lock keeps simultaneous requests within the plan's limit.
  await lockUntilCommit(tx, 'workshops', actor.tenantId)
  requireWithinLimit(actor, 'workshop_count', await countWorkshops(tx))
}

/** The number of events of the transaction's tenant that count: neither archived, canceled nor deleted. */
export async function countWorkshops(tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ used: count() })
    .from(workshop)
    .where(and(isNull(workshop.archivedAt), isNull(workshop.canceledAt), isNull(workshop.deletedAt)))
  return row?.used ?? 0
}
