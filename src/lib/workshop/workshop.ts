import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { originalUrl, pictureColumns, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { joinsCover, rolesSql } from './list.ts'
import { requireEventPermission } from './permission.ts'
import { confirmedCountSql, interestedCountSql } from './registrant-counts.ts'
import { canManageWorkshop, canSeeWorkshops } from './rules.ts'
import { currentSession, eventStatusSql } from './status-sql.ts'
import { workshop } from './table.ts'

const { tenantId: _, deletedAt: __, ...facts } = getTableColumns(workshop)
const slides = alias(file, 'slides')

/** One event with everything its pages need. Refuses with forbidden, not_found. */
export async function getWorkshop(actor: Actor, input: { workshopId: string }, now = new Date()) {
  requireEventPermission(canSeeWorkshops(actor))
  const { workshopId } = input
  const workshopView = await inTenant(actor, (tx) => readWorkshop(tx, actor, workshopId, now))
  if (!workshopView) throw new Refusal('not_found')
  const { cover, slides, ...rest } = workshopView
  return {
    ...rest,
    /** Whether the actor may change it. */
    manages: canManageWorkshop(actor, rest.ownRoles).allow,
    cover: cover && pictureFor(actor, cover),
    slides: slides && { ...slides, address: originalUrl(actor, slides) },
  }
}
export type WorkshopView = Awaited<ReturnType<typeof getWorkshop>>

async function readWorkshop(tx: Tx, actor: Actor, workshopId: string, now: Date) {
  const session = currentSession(tx, now)
  const [workshopView] = await tx
    .select({
      ...facts,
      /** Null for an auto-webinar without a session. */
      sessionId: session.id,
      startedAt: session.startedAt,
      finishedAt: session.finishedAt,
      status: eventStatusSql(session, now),
      confirmed: confirmedCountSql,
      interested: interestedCountSql,
      ownRoles: rolesSql(actor),
      cover: pictureColumns,
      slides: { id: slides.id, name: slides.name, mime: slides.mime, size: slides.size },
    })
    .from(workshop)
    .leftJoinLateral(session, sql`true`)
    .leftJoin(file, joinsCover)
    .leftJoin(
      slides,
      and(eq(slides.tenantId, workshop.tenantId), eq(slides.id, workshop.slidesFileId), isNull(slides.deletedAt)),
    )
    .where(and(eq(workshop.id, workshopId), isNull(workshop.deletedAt)))
    .orderBy(asc(workshop.id))
  return workshopView
}
