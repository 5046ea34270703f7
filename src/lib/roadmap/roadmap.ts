import { and, asc, eq, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { getCourse } from '#lib/course/course.ts'
import { getOutline } from '#lib/course/outline/outline.ts'
import { canEditCourse, canSeeCourse } from '#lib/course/rules.ts'
import { attachFiles, detachFiles } from '#lib/storage/file-use.ts'
import { type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { type RoadmapText, SaveRoadmap } from './schema.ts'
import { roadmap } from './table.ts'

export interface RoadmapDraft extends RoadmapText {
  id: string
  courseId: string
  version: number
  publishedAt: Date | null
  views: number
  calls: number
  cover: Picture | null
  coverName: string | null
}

const fields = {
  id: roadmap.id,
  courseId: roadmap.courseId,
  title: roadmap.title,
  intro: roadmap.intro,
  coverFileId: roadmap.coverFileId,
  visibility: roadmap.visibility,
  stages: roadmap.stages,
  callToAct: roadmap.callToAct,
  showProgress: roadmap.showProgress,
  version: roadmap.version,
  publishedAt: roadmap.publishedAt,
  views: roadmap.views,
  calls: roadmap.calls,
  coverName: file.name,
  cover: { id: file.id, mime: file.mime, width: file.width, height: file.height, widths: file.widths },
}

/** The road maps of a course, oldest first. Refuses with forbidden unless the actor may see courses. */
export function listRoadmaps(actor: Actor, input: { courseId: string }): Promise<RoadmapDraft[]> {
  requireAllowed(canSeeCourse(actor))
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const rows = await selectRoadmaps(tx).where(eq(roadmap.courseId, courseId)).orderBy(asc(roadmap.createdAt))
    // Refuses for a course that does not exist.
    if (rows.length === 0) await getCourse(actor, { courseId })
    return rows.map((row) => toDraft(actor, row))
  })
}

/** One road map for its authors. Refuses with forbidden, not_found. */
export function getRoadmap(actor: Actor, input: { roadmapId: string }): Promise<RoadmapDraft> {
  requireAllowed(canSeeCourse(actor))
  const { roadmapId } = input
  return inTenant(actor, (tx) => loadRoadmap(tx, actor, roadmapId))
}

/** Creates a road map with the course's modules as stages. Refuses with forbidden, plan_inactive, not_found. */
export function createRoadmap(actor: Actor, input: { courseId: string }): Promise<{ roadmapId: string }> {
  requireWriter(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const { title, shortDescription, coverFileId } = await getCourse(actor, { courseId })
    const stages = (await getOutline(actor, { courseId })).slice(0, 40).map((module) => ({
      title: module.title,
      period: '',
      text: module.description,
      items: module.lessons.slice(0, 60).map((lesson) => ({
        type: 'lesson' as const,
        refId: lesson.id,
        title: lesson.title,
        description: '',
        duration: '',
        optional: false,
      })),
    }))
    const row = { tenantId: actor.tenantId, courseId, title, intro: shortDescription, coverFileId, stages }
    const [created] = await tx.insert(roadmap).values(row).returning({ roadmapId: roadmap.id })
    if (!created) throw new Refusal('not_found')
    await attachCover(actor, created.roadmapId, title, coverFileId)
    return created
  })
}

/**
 * Saves a road map based on `version`. Refuses with conflict when it has a newer version, with the newer text in
 * `data`; the same text sent again succeeds. Refuses with forbidden, plan_inactive, not_found, wrong_type (cover).
 */
export function saveRoadmap(actor: Actor, input: SaveRoadmap): Promise<{ version: number }> {
  requireWriter(actor)
  const { roadmapId, version, ...text } = input
  return inTenant(actor, async (tx) => {
    if (text.coverFileId) await requireImage(actor, text.coverFileId)
    const [saved] = await tx
      .update(roadmap)
      .set({ ...text, version: sql`${roadmap.version} + 1`, updatedAt: new Date() })
      .where(and(eq(roadmap.id, roadmapId), eq(roadmap.version, version)))
      .returning({ version: roadmap.version })
    if (saved) {
      await attachCover(actor, roadmapId, text.title, text.coverFileId)
      return saved
    }
    const current = roadmapText(await loadRoadmap(tx, actor, roadmapId))
    if (JSON.stringify(current.text) === JSON.stringify(roadmapText({ ...text, version }).text))
      return { version: current.version }
    throw new Refusal('conflict', { data: { version: current.version, ...current.text } })
  })
}

/** Publishes a road map; the first publication time is kept. Refuses as saveRoadmap. */
export const publishRoadmap = (actor: Actor, input: { roadmapId: string }) => setPublished(actor, input, true)
export const hideRoadmap = (actor: Actor, input: { roadmapId: string }) => setPublished(actor, input, false)

/** Deletes a road map; its address returns 404. Refuses with forbidden, plan_inactive, not_found. */
export function deleteRoadmap(actor: Actor, input: { roadmapId: string }): Promise<void> {
  requireWriter(actor)
  const { roadmapId } = input
  return inTenant(actor, async (tx) => {
    const deleted = await tx.delete(roadmap).where(eq(roadmap.id, roadmapId)).returning({ id: roadmap.id })
    if (deleted.length === 0) throw new Refusal('not_found')
    await detachFiles(actor, { kind: 'roadmap', id: roadmapId })
  })
}

function setPublished(actor: Actor, input: { roadmapId: string }, published: boolean): Promise<{ published: boolean }> {
  requireWriter(actor)
  const { roadmapId } = input
  return inTenant(actor, async (tx) => {
    const publishedAt = published ? sql`coalesce(${roadmap.publishedAt}, now())` : null
    const changed = await tx
      .update(roadmap)
      .set({ publishedAt })
      .where(eq(roadmap.id, roadmapId))
      .returning({ id: roadmap.id })
    if (changed.length === 0) throw new Refusal('not_found')
    return { published }
  })
}

// Fields are sorted, so that equal texts are serialized equally.
function roadmapText({ version, ...row }: RoadmapText & { version: number }) {
  const { title, intro, coverFileId, visibility, stages, callToAct, showProgress } = row
  const ordered = parseStored(SaveRoadmap.pick({ stages: true, callToAct: true }), { stages, callToAct })
  return { version, text: { title, intro, coverFileId, visibility, showProgress, ...ordered } }
}

function selectRoadmaps(tx: Tx) {
  return tx
    .select(fields)
    .from(roadmap)
    .leftJoin(file, and(eq(file.tenantId, roadmap.tenantId), eq(file.id, roadmap.coverFileId)))
    .$dynamic()
}

type Row = Awaited<ReturnType<typeof selectRoadmaps>>[number]
const toDraft = (actor: Actor, row: Row): RoadmapDraft => ({ ...row, cover: row.cover && pictureFor(actor, row.cover) })

async function loadRoadmap(tx: Tx, actor: Actor, roadmapId: string): Promise<RoadmapDraft> {
  const [row] = await selectRoadmaps(tx).where(eq(roadmap.id, roadmapId))
  if (!row) throw new Refusal('not_found')
  return toDraft(actor, row)
}

async function requireImage(actor: Actor, fileId: string): Promise<void> {
  const { kind, name } = await findFile(actor, fileId)
  if (kind === 'image') return
  throw new Refusal('wrong_type', { fields: { coverFileId: ['file_type'] }, variables: { name } })
}

const attachCover = (actor: Actor, id: string, title: string, coverFileId: string | null): Promise<void> =>
  attachFiles(actor, { kind: 'roadmap', id, title }, coverFileId ? [coverFileId] : [])

function requireWriter(actor: Actor): void {
  requireAllowed(canEditCourse(actor))
  requirePlan(actor, 'lms')
}

function requireAllowed(verdict: Verdict): void {
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}
