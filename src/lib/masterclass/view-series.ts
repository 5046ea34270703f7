import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { video } from '#lib/storage/table.ts'
import { requireEventPermission } from '#lib/workshop/permission.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import { readContent, requireMasterclass } from './content.ts'
import { sumSeconds, viewSeries } from './rules.ts'
import { masterclassWatch } from './table.ts'

/** Number of equal steps of a view series. */
const SERIES_STEPS = 50

export interface PartViewSeries {
  id: string
  title: string
  /** Number of visitors who watched any part of it. */
  plays: number
  /** Average watched share, 0 to 1; null while the length is unknown. */
  share: number | null
  /** Number of visitors who watched each step. */
  series: number[]
}

/** View series of each part. Refuses with forbidden, not_found. */
export function getViewSeries(actor: Actor, input: { workshopId: string }): Promise<PartViewSeries[]> {
  requireEventPermission(canSeeStatistics(actor))
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireMasterclass(tx, workshopId)
    const { content } = await readContent(tx, workshopId)
    const rows = await tx
      .select({ partId: masterclassWatch.partId, watched: masterclassWatch.watched })
      .from(masterclassWatch)
      .where(eq(masterclassWatch.workshopId, workshopId))
    const curves: PartViewSeries[] = []
    for (const { id, title, fileId } of content.parts) {
      const visits = rows.filter((row) => row.partId === id && row.watched.length > 0).map(({ watched }) => watched)
      const [partVideo] = fileId
        ? await tx.select({ seconds: video.duration }).from(video).where(eq(video.fileId, fileId))
        : []
      const seconds = partVideo?.seconds ?? 0
      const seen = visits.reduce((sum, stretches) => sum + sumSeconds(stretches), 0)
      const share = seconds > 0 && visits.length > 0 ? Math.min(1, seen / visits.length / seconds) : null
      curves.push({
        id,
        title,
        plays: visits.length,
        share,
        series: seconds > 0 ? viewSeries(visits, seconds, SERIES_STEPS) : [],
      })
    }
    return curves
  })
}
