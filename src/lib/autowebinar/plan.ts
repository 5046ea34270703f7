import { and, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { mergeChanges, stableJson } from '#lib/core/shared/merge.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { file, video } from '#lib/storage/table.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { findEventRoles, requireManagedWorkshop, requireReadableWorkshop } from '#lib/workshop/permission.ts'
import { canManageWorkshop } from '#lib/workshop/rules.ts'
import { setVideoMinutes } from '#lib/workshop/session/session.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { recordFileUse } from './file-use.ts'
import { Honest, type QuietHours, SavePlan, Schedule, WorkshopRef } from './schema.ts'
import { autoPlan } from './table.ts'

/** How an auto-webinar is shown, with the film as far as it is there. Times are milliseconds. */
export interface AutoPlan {
  workshopId: string
  title: string
  language: Locale
  timeZone: string
  isPublished: boolean
  isCanceled: boolean
  slidesFileId: string | null
  filmFileId: string | null
  filmName: string | null
  /** The film of the webinar that it was made of is on its way. */
  isVideoPending: boolean
  /** The whole film. */
  filmMs: number
  filmOffsetMs: number
  /** A showing: the film from where it begins. */
  lengthMs: number
  schedule: Schedule
  quietHours: QuietHours | null
  /** Seats of one showing. */
  capacity: number | null
  mutedTracks: Track[]
  mayRestart: boolean
  mayPause: boolean
  honest: Honest
  watchedBefore: number | null
  version: number
}

/** The plan of an auto-webinar; null while nobody has made one, or for another event. */
export async function readPlan(tx: Tx, workshopId: string): Promise<AutoPlan | null> {
  const source = alias(workshopSession, 'source')
  const filmId = sql<string | null>`coalesce(${autoPlan.filmFileId}, ${source.filmFileId})`
  const [row] = await tx
    .select({
      plan: autoPlan,
      title: workshop.title,
      language: workshop.language,
      timeZone: workshop.timeZone,
      publication: workshop.publication,
      canceledAt: workshop.canceledAt,
      slidesFileId: workshop.slidesFileId,
      sourceFilm: source.filmFileId,
      sourceOffset: source.filmOffsetMs,
      fileId: file.id,
      name: file.name,
      seconds: video.duration,
    })
    .from(autoPlan)
    .innerJoin(workshop, eq(workshop.id, autoPlan.workshopId))
    .leftJoin(source, eq(source.id, autoPlan.sourceSessionId))
    .leftJoin(file, and(eq(file.id, filmId), isNull(file.deletedAt)))
    .leftJoin(video, eq(video.fileId, file.id))
    .where(and(eq(autoPlan.workshopId, workshopId), isNull(workshop.deletedAt)))
  if (!row) return null
  const { plan } = row
  // Of a film that came later than the plan its own session knows where it begins.
  const usesSourceVideo = !plan.filmFileId && row.sourceFilm
  const filmMs = row.seconds ? row.seconds * 1000 : plan.filmMs
  const filmOffsetMs = usesSourceVideo ? (row.sourceOffset ?? 0) : plan.filmOffsetMs
  const { schedule, quietHours, capacity, mutedTracks, mayRestart, mayPause, honest, watchedBefore, version } = plan
  return {
    workshopId,
    title: row.title,
    language: row.language,
    timeZone: row.timeZone,
    isPublished: row.publication === 'published',
    isCanceled: row.canceledAt !== null,
    slidesFileId: row.slidesFileId,
    filmFileId: row.fileId,
    filmName: row.name,
    isVideoPending: !row.fileId && plan.sourceSessionId !== null,
    filmMs,
    filmOffsetMs,
    // A film that is still being made has no length of its own yet: the log's counts from the start.
    lengthMs: row.seconds ? Math.max(0, filmMs - filmOffsetMs) : plan.filmMs,
    schedule,
    quietHours,
    capacity,
    mutedTracks,
    mayRestart,
    mayPause,
    honest,
    watchedBefore,
    version,
  }
}

/** The same for those who look after events, `manages`: whether they may change it. Refuses with forbidden, not_found. */
export function getPlan(actor: Actor, input: { workshopId: string }): Promise<AutoPlan & { manages: boolean }> {
  const { workshopId } = WorkshopRef.parse(input)
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    await ensurePlan(tx, actor.tenantId, workshopId, {})
    const plan = await readPlan(tx, workshopId)
    if (!plan) throw new Refusal('not_found')
    return { ...plan, manages: canManageWorkshop(actor, await findEventRoles(tx, actor, workshopId)).allow }
  })
}

/**
 * Changes what is given of a plan; of one that somebody changed since `version` only what differs from `base`, the same
 * as the sender had read it. Refuses with conflict when both changed the same, or there is no `base`; with forbidden,
 * plan_inactive, not_found (also a film that is not there), wrong_type for a film that is none.
 */
export function savePlan(actor: Actor, input: SavePlan): Promise<{ version: number }> {
  const { workshopId, version, base, ...sent } = SavePlan.parse(input)
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const [current] = await tx.select().from(autoPlan).where(eq(autoPlan.workshopId, workshopId)).for('update')
    if (!current) throw new Refusal('not_found')
    const isStale = version !== current.version
    const { merged: change, conflicts } = isStale
      ? mergeChanges<typeof sent>(current, base ?? {}, sent)
      : { merged: sent, conflicts: [] }
    if (conflicts.length > 0) throw new Refusal('conflict', { data: { version: current.version } })
    if (isStale && hasSameValues(current, change)) return { version: current.version }
    if (change.filmFileId) await requireVideoFile(actor, change.filmFileId)
    const [saved] = await tx
      .update(autoPlan)
      .set({ ...change, version: sql`${autoPlan.version} + 1`, updatedAt: new Date() })
      .where(eq(autoPlan.workshopId, workshopId))
      .returning({ version: autoPlan.version })
    if (change.filmFileId !== undefined) await recordFileUse(tx, actor, workshopId)
    await syncVideoLength(tx, workshopId)
    return { version: saved?.version ?? current.version + 1 }
  })
}

/** The event lasts as long as its film, as far as that is known by now. Gives the plan. */
export async function syncVideoLength(tx: Tx, workshopId: string): Promise<AutoPlan | null> {
  const plan = await readPlan(tx, workshopId)
  if (plan?.filmFileId && plan.lengthMs > 0) await setVideoMinutes(tx, workshopId, countMinutes(plan))
  return plan
}

/** Whole minutes that a showing takes. */
export const countMinutes = ({ lengthMs }: Pick<AutoPlan, 'lengthMs'>): number =>
  Math.max(1, Math.ceil(lengthMs / 60_000))

/** Lays the plan of an auto-webinar, once; a plan that is there stays. */
export async function ensurePlan(
  tx: Tx,
  tenantId: string,
  workshopId: string,
  facts: Partial<typeof autoPlan.$inferInsert>,
): Promise<void> {
  const [found] = await tx
    .select({ type: workshop.type, timeZone: workshop.timeZone, minutes: workshop.plannedMinutes })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  if (found?.type !== 'autoWebinar') throw new Refusal('not_found')
  await tx
    .insert(autoPlan)
    .values({
      tenantId,
      workshopId,
      filmMs: found.minutes * 60_000,
      honest: Honest.parse({}),
      schedule: parseStored(Schedule, { zone: found.timeZone }),
      ...facts,
    })
    .onConflictDoNothing()
}

/** Refuses with not_found, and with wrong_type for what nobody can watch. */
export async function requireVideoFile(actor: Actor, fileId: string): Promise<void> {
  const { kind, name } = await findFile(actor, fileId)
  if (kind === 'video' || kind === 'audio') return
  throw new Refusal('wrong_type', { fields: { filmFileId: ['file_type'] }, variables: { name } })
}

// The same change sent again, e.g. because the answer was lost, is no conflict.
function hasSameValues(current: object, change: object): boolean {
  const values = new Map<string, unknown>(Object.entries(current))
  return Object.entries(change).every(([key, value]) => stableJson(values.get(key)) === stableJson(value))
}
