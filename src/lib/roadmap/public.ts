import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course } from '#lib/course/table.ts'
import { type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { canReadRoadmap } from './rules.ts'
import type { RoadmapCallToAction, RoadmapStage } from './schema.ts'
import { roadmap } from './table.ts'

export interface PublicRoadmap {
  id: string
  title: string
  intro: string
  visibility: 'public' | 'link' | 'students'
  published: boolean
  stages: RoadmapStage[]
  callToAct: RoadmapCallToAction | null
  showProgress: boolean
  version: number
  cover: Picture | null
  /** Language of the course, used for the labels of the road map. */
  language: 'uk' | 'en'
  updatedAt: Date
}

/** A road map for readers; one statement. Refuses with not_found, also without permission. */
export async function readRoadmap(
  tenantId: string,
  actor: Actor | null,
  input: { roadmapId: string },
): Promise<PublicRoadmap> {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx
      .select({
        id: roadmap.id,
        title: roadmap.title,
        intro: roadmap.intro,
        visibility: roadmap.visibility,
        publishedAt: roadmap.publishedAt,
        stages: roadmap.stages,
        callToAct: roadmap.callToAct,
        showProgress: roadmap.showProgress,
        version: roadmap.version,
        updatedAt: roadmap.updatedAt,
        language: course.language,
        cover: { id: file.id, mime: file.mime, width: file.width, height: file.height, widths: file.widths },
      })
      .from(roadmap)
      .innerJoin(course, and(eq(course.tenantId, roadmap.tenantId), eq(course.id, roadmap.courseId)))
      .leftJoin(
        file,
        and(eq(file.tenantId, roadmap.tenantId), eq(file.id, roadmap.coverFileId), isNull(file.deletedAt)),
      )
      .where(eq(roadmap.id, input.roadmapId)),
  )
  if (!row) throw new Refusal('not_found')
  const { publishedAt, cover, ...rest } = row
  const published = publishedAt !== null
  if (!canReadRoadmap(actor, { tenantId, visibility: row.visibility, published }).allow) throw new Refusal('not_found')
  return { ...rest, published, cover: cover && pictureFor({ tenantId, viewer: ANYONE }, cover) }
}

/** Counts a view by a visitor. An unknown id changes nothing. */
export const countView = (tenantId: string, roadmapId: string): Promise<void> =>
  incrementCounter(tenantId, roadmapId, { views: sql`${roadmap.views} + 1` })

/** Counts a click on the call to action. An unknown id changes nothing. */
export const countRoadmapCall = (tenantId: string, roadmapId: string): Promise<void> =>
  incrementCounter(tenantId, roadmapId, { calls: sql`${roadmap.calls} + 1` })

async function incrementCounter(tenantId: string, roadmapId: string, change: object): Promise<void> {
  await inTenant({ tenantId }, (tx) =>
    tx
      .update(roadmap)
      .set(change)
      .where(and(eq(roadmap.id, roadmapId), sql`${roadmap.publishedAt} is not null`)),
  )
}
