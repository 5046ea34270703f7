import { and, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { mergeChanges, stableJson } from '#lib/core/shared/merge.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { file, video } from '#lib/storage/table.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { isPlayableFile } from '#lib/storage/video/playback.ts'
import { findEventRoles, requireManagedWorkshop, requireReadableWorkshop } from '#lib/workshop/permission.ts'
import { canManageWorkshop } from '#lib/workshop/rules.ts'
import { setVideoMinutes } from '#lib/workshop/session/session.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { recordPlanFileUse } from './file-use.ts'
import { Disclosure, type QuietHours, type SavePlan, Schedule } from './schema.ts'
import { autoPlan } from './table.ts'

export type VideoProblem = 'pending' | 'missing'

/** After this time without a video the composition of a recording has failed, or nothing was recorded. */
const COMPOSE_LIMIT_MS = 3 * HOUR_MS

/** Settings of an auto-webinar, with its video if available. Times in milliseconds. */
export interface AutoPlan {
  workshopId: string
  title: string
  language: Locale
  timeZone: string
  isPublished: boolean
  isCanceled: boolean
  slidesFileId: string | null
  videoFileId: string | null
  videoName: string | null
  /** The recording of the source webinar is still being composed. */
  isVideoPending: boolean
  /**
   * Why sessions cannot run: the video is composed or processed, or it is missing, deleted or damaged. Null when it can
   * be played.
   */
  videoProblem: VideoProblem | null
  /** Length of the whole video. */
  videoMs: number
  videoOffsetMs: number
  /** Length of a session: the video from its start offset. */
  lengthMs: number
  schedule: Schedule
  quietHours: QuietHours | null
  /** Seats of one session. */
  capacity: number | null
  mutedTracks: Track[]
  mayRestart: boolean
  mayPause: boolean
  disclosure: Disclosure
  watchedBefore: number | null
  version: number
}

/** Plan of an auto-webinar; null if there is none, or for another event. */
export async function readPlan(tx: Tx, workshopId: string): Promise<AutoPlan | null> {
  const source = alias(workshopSession, 'source')
  const videoId = sql<string | null>`coalesce(${autoPlan.videoFileId}, ${source.videoFileId})`
  const [row] = await tx
    .select({
      plan: autoPlan,
      title: workshop.title,
      language: workshop.language,
      timeZone: workshop.timeZone,
      publication: workshop.publication,
      canceledAt: workshop.canceledAt,
      slidesFileId: workshop.slidesFileId,
      sourceVideo: source.videoFileId,
      sourceFinishedAt: source.finishedAt,
      sourceOffset: source.videoOffsetMs,
      fileId: file.id,
      name: file.name,
      kind: file.kind,
      mime: file.mime,
      video,
    })
    .from(autoPlan)
    .innerJoin(workshop, eq(workshop.id, autoPlan.workshopId))
    .leftJoin(source, eq(source.id, autoPlan.sourceSessionId))
    .leftJoin(file, and(eq(file.id, videoId), isNull(file.deletedAt)))
    .leftJoin(video, eq(video.fileId, file.id))
    .where(and(eq(autoPlan.workshopId, workshopId), isNull(workshop.deletedAt)))
  if (!row) return null
  const { plan } = row
  const seconds = row.video?.duration ?? null
  const isVideoPending = isComposing(plan, row.sourceVideo, row.sourceFinishedAt)
  // The offset of a video that was composed after the plan was created is stored in its source session.
  const usesSourceVideo = !plan.videoFileId && row.sourceVideo
  const videoMs = seconds ? seconds * 1000 : plan.videoMs
  const videoOffsetMs = usesSourceVideo ? (row.sourceOffset ?? 0) : plan.videoOffsetMs
  const { schedule, quietHours, capacity, mutedTracks, mayRestart, mayPause, disclosure, watchedBefore, version } = plan
  return {
    workshopId,
    title: row.title,
    language: row.language,
    timeZone: row.timeZone,
    isPublished: row.publication === 'published',
    isCanceled: row.canceledAt !== null,
    slidesFileId: row.slidesFileId,
    videoFileId: row.fileId,
    videoName: row.name,
    isVideoPending,
    videoProblem: findVideoProblem(row, isVideoPending),
    videoMs,
    videoOffsetMs,
    // A video that is still being composed has no length yet: the length of the log is used.
    lengthMs: seconds ? Math.max(0, videoMs - videoOffsetMs) : plan.videoMs,
    schedule,
    quietHours,
    capacity,
    mutedTracks,
    mayRestart,
    mayPause,
    disclosure,
    watchedBefore,
    version,
  }
}

function isComposing(
  plan: typeof autoPlan.$inferSelect,
  sourceVideoId: string | null,
  sourceFinishedAt: Date | null,
): boolean {
  if (plan.videoFileId || sourceVideoId || plan.sourceSessionId === null) return false
  return sourceFinishedAt === null || Date.now() - sourceFinishedAt.getTime() < COMPOSE_LIMIT_MS
}

function findVideoProblem(
  row: { fileId: string | null; kind: string | null; mime: string | null; video: typeof video.$inferSelect | null },
  isVideoPending: boolean,
): VideoProblem | null {
  if (!row.fileId) return isVideoPending ? 'pending' : 'missing'
  if (isPlayableFile({ kind: row.kind ?? '', mime: row.mime ?? '' }, row.video)) return null
  return row.video && row.video.state !== 'failed' ? 'pending' : 'missing'
}

/** Plan for the event's staff; `manages`: whether they may change it. Refuses with forbidden, not_found. */
export function getPlan(actor: Actor, input: { workshopId: string }): Promise<AutoPlan & { manages: boolean }> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    await ensurePlan(tx, actor.tenantId, workshopId, {})
    const plan = await readPlan(tx, workshopId)
    if (!plan) throw new Refusal('not_found')
    return { ...plan, manages: canManageWorkshop(actor, await findEventRoles(tx, actor, workshopId)).allow }
  })
}

/**
 * Saves the given fields of a plan. If it was changed since `version`, only the differences from `base` (the version
 * the client had read) are saved. Refuses with conflict when both changed the same field, or without `base`; with
 * forbidden, plan_inactive, not_found (a missing video too), wrong_type for a file that is no video.
 */
export function savePlan(actor: Actor, input: SavePlan): Promise<{ version: number }> {
  const { workshopId, version, base, ...sent } = input
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
    if (change.videoFileId) await requireVideoFile(actor, change.videoFileId)
    const [saved] = await tx
      .update(autoPlan)
      .set({ ...change, version: sql`${autoPlan.version} + 1`, updatedAt: new Date() })
      .where(eq(autoPlan.workshopId, workshopId))
      .returning({ version: autoPlan.version })
    if (change.videoFileId !== undefined) await recordPlanFileUse(tx, actor, workshopId)
    await syncVideoLength(tx, workshopId)
    return { version: saved?.version ?? current.version + 1 }
  })
}

/** Sets the event's length to that of its video, if known. Returns the plan. */
export async function syncVideoLength(tx: Tx, workshopId: string): Promise<AutoPlan | null> {
  const plan = await readPlan(tx, workshopId)
  if (plan?.videoFileId && plan.lengthMs > 0) await setVideoMinutes(tx, workshopId, countMinutes(plan))
  return plan
}

/** Length of a session in whole minutes. */
export const countMinutes = ({ lengthMs }: Pick<AutoPlan, 'lengthMs'>): number =>
  Math.max(1, Math.ceil(lengthMs / MINUTE_MS))

/** Creates the plan of an auto-webinar unless it exists. */
export async function ensurePlan(
  tx: Tx,
  tenantId: string,
  workshopId: string,
  facts: Partial<typeof autoPlan.$inferInsert>,
): Promise<void> {
  const [row] = await tx
    .select({ type: workshop.type, timeZone: workshop.timeZone, minutes: workshop.plannedMinutes })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  if (row?.type !== 'autoWebinar') throw new Refusal('not_found')
  await tx
    .insert(autoPlan)
    .values({
      tenantId,
      workshopId,
      videoMs: row.minutes * MINUTE_MS,
      disclosure: Disclosure.parse({}),
      schedule: parseStored(Schedule, { zone: row.timeZone }),
      ...facts,
    })
    .onConflictDoNothing()
}

/** Requires a video or audio file. Refuses with not_found, wrong_type. */
export async function requireVideoFile(actor: Actor, fileId: string): Promise<void> {
  const { kind, name } = await findFile(actor, fileId)
  if (kind === 'video' || kind === 'audio') return
  throw new Refusal('wrong_type', { fields: { videoFileId: ['file_type'] }, variables: { name } })
}

// A repeated change, e.g. after a lost response, is no conflict.
function hasSameValues(current: object, change: object): boolean {
  const values = new Map<string, unknown>(Object.entries(current))
  return Object.entries(change).every(([key, value]) => stableJson(values.get(key)) === stableJson(value))
}
