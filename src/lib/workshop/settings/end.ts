import { and, count, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireEventPermission, requireManagedWorkshop, requireWorkshopPlan } from '../permission.ts'
import { readRegistrantCounts } from '../registrant-counts.ts'
import { canCreateWorkshop } from '../rules.ts'
import type { CancelWorkshop } from '../schema.ts'
import { workshop, workshopSession } from '../table.ts'
import { requireWorkshopLimit } from './create.ts'
import { recordEventFileUse } from './file-use.ts'
import { lockWorkshopRow } from './save.ts'

/**
 * Cancels an event permanently; registrants are emailed unless `notify` is false. Idempotent. Refuses with forbidden,
 * plan_inactive, not_found, and unprocessable for a started event.
 */
export function cancelWorkshop(actor: Actor, input: CancelWorkshop): Promise<{ canceled: true }> {
  const { workshopId, notify } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const { canceledAt } = await lockWorkshopRow(tx, workshopId)
    if (canceledAt) return { canceled: true }
    if ((await countStarted(tx, [workshopId])) > 0) {
      throw formRefusal('workshop_started')
    }
    const now = new Date()
    await tx.update(workshop).set({ canceledAt: now, updatedAt: now }).where(eq(workshop.id, workshopId))
    await tx
      .update(workshopSession)
      .set({ canceledAt: now })
      .where(
        and(
          eq(workshopSession.workshopId, workshopId),
          isNull(workshopSession.finishedAt),
          isNull(workshopSession.canceledAt),
        ),
      )
    await enqueueJob('registration.canceled', { tenantId: actor.tenantId, workshopId, notify })
    return { canceled: true }
  })
}

/**
 * Archives events: they are not listed or counted, and registration is closed. Returns the ids of newly archived ones.
 * Refuses with forbidden, plan_inactive, not_found when one is unknown, and unprocessable while one of them is live.
 */
export function archiveWorkshops(actor: Actor, input: { workshopIds: string[] }): Promise<{ archived: string[] }> {
  const { workshopIds } = input
  return changeWorkshops(actor, workshopIds, async (tx) => {
    if ((await countLive(tx, workshopIds)) > 0) {
      throw formRefusal('workshop_on_air')
    }
    const rows = await tx
      .update(workshop)
      .set({ archivedAt: new Date() })
      .where(and(inArray(workshop.id, workshopIds), isNull(workshop.archivedAt), isNull(workshop.deletedAt)))
      .returning({ id: workshop.id })
    return { archived: rows.map(({ id }) => id) }
  })
}

/**
 * Restores archived events. Refuses with forbidden, plan_inactive, and unprocessable when the plan's limit is reached.
 */
export function restoreWorkshops(actor: Actor, input: { workshopIds: string[] }): Promise<{ restored: string[] }> {
  const { workshopIds } = input
  return changeWorkshops(actor, workshopIds, (tx) =>
    restoreEach(tx, actor, workshopIds, async (id) => {
      const rows = await tx
        .update(workshop)
        .set({ archivedAt: null })
        .where(and(eq(workshop.id, id), isNotNull(workshop.archivedAt), isNull(workshop.deletedAt)))
        .returning({ id: workshop.id })
      return rows.length > 0
    }),
  )
}

/**
 * Deletes drafts; published events and those with registrants stay. Returns the deleted ids. Refuses with forbidden,
 * plan_inactive.
 */
export function deleteWorkshops(actor: Actor, input: { workshopIds: string[] }): Promise<{ deleted: string[] }> {
  const { workshopIds } = input
  return changeWorkshops(actor, workshopIds, async (tx) => {
    const deleted: string[] = []
    for (const id of workshopIds) {
      if ((await readRegistrantCounts(tx, id)).interested > 0) continue
      const rows = await tx
        .update(workshop)
        .set({ deletedAt: new Date() })
        .where(and(eq(workshop.id, id), eq(workshop.publication, 'draft'), isNull(workshop.deletedAt)))
        .returning({ id: workshop.id })
      if (rows.length === 0) continue
      await recordEventFileUse(tx, actor, id)
      deleted.push(id)
    }
    return { deleted }
  })
}

/** Undoes a deletion. Refuses like restoreWorkshops. */
export function undoDelete(actor: Actor, input: { workshopIds: string[] }): Promise<{ restored: string[] }> {
  const { workshopIds } = input
  return changeWorkshops(actor, workshopIds, (tx) =>
    restoreEach(tx, actor, workshopIds, async (id) => {
      const rows = await tx
        .update(workshop)
        .set({ deletedAt: null })
        // Rooms of mentoring are published and in no list; only drafts are deleted.
        .where(and(eq(workshop.id, id), eq(workshop.publication, 'draft'), isNotNull(workshop.deletedAt)))
        .returning({ id: workshop.id })
      if (rows.length > 0) await recordEventFileUse(tx, actor, id)
      return rows.length > 0
    }),
  )
}

/**
 * The same for one event, for everybody who may change it. Refuses like archiveWorkshops and restoreWorkshops, and with
 * not_found.
 */
export const archiveWorkshop = (actor: Actor, input: { workshopId: string }) => setArchived(actor, input, true)
export const restoreWorkshop = (actor: Actor, input: { workshopId: string }) => setArchived(actor, input, false)

function setArchived(actor: Actor, input: { workshopId: string }, archive: boolean): Promise<{ archived: boolean }> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const { archivedAt } = await lockWorkshopRow(tx, workshopId)
    if (Boolean(archivedAt) === archive) return { archived: archive }
    if (archive && (await countLive(tx, [workshopId])) > 0) {
      throw formRefusal('workshop_on_air')
    }
    if (!archive) await requireWorkshopLimit(tx, actor)
    await tx
      .update(workshop)
      .set({ archivedAt: archive ? new Date() : null })
      .where(eq(workshop.id, workshopId))
    return { archived: archive }
  })
}

/** Runs a bulk change. Refuses with not_found when one event is unknown; then nothing is changed. */
function changeWorkshops<T>(actor: Actor, ids: readonly string[], change: (tx: Tx) => Promise<T>): Promise<T> {
  requireEventPermission(canCreateWorkshop(actor))
  requireWorkshopPlan(actor)
  return inTenant(actor, async (tx) => {
    const uniqueIds = [...new Set(ids)]
    const [row] = await tx.select({ found: count() }).from(workshop).where(inArray(workshop.id, uniqueIds))
    if (row?.found !== uniqueIds.length) throw new Refusal('not_found')
    return change(tx)
  })
}

async function restoreEach(
  tx: Tx,
  actor: Actor,
  ids: readonly string[],
  restore: (id: string) => Promise<boolean>,
): Promise<{ restored: string[] }> {
  const restored: string[] = []
  for (const id of ids) {
    await requireWorkshopLimit(tx, actor)
    if (await restore(id)) restored.push(id)
  }
  return { restored }
}

async function countStarted(tx: Tx, ids: readonly string[]): Promise<number> {
  const [row] = await tx
    .select({ begun: count() })
    .from(workshopSession)
    .where(
      and(
        inArray(workshopSession.workshopId, [...ids]),
        inArray(workshopSession.kind, ['live', 'onDemand']),
        isNotNull(workshopSession.startedAt),
      ),
    )
  return row?.begun ?? 0
}

async function countLive(tx: Tx, ids: readonly string[]): Promise<number> {
  const [row] = await tx
    .select({ live: count() })
    .from(workshopSession)
    .where(
      and(
        inArray(workshopSession.workshopId, [...ids]),
        eq(workshopSession.kind, 'live'),
        isNotNull(workshopSession.startedAt),
        isNull(workshopSession.finishedAt),
      ),
    )
  return row?.live ?? 0
}
