import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopAccess, WorkshopStatus, WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny } from '#lib/core/shared/verdict.ts'
import { type Picture, pictureColumns, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { joinsCover } from './list.ts'
import { requireEventPermission } from './permission.ts'
import { isRegisteredSql } from './registrant-counts.ts'
import { currentSession, eventStatusSql } from './status-sql.ts'
import { workshop } from './table.ts'

export interface StudentWorkshop {
  id: string
  type: WorkshopType
  title: string
  status: WorkshopStatus
  startAt: Date | null
  timeZone: string
  plannedMinutes: number
  access: WorkshopAccess
  canceledAt: Date | null
  registered: boolean
  cover: Picture | null
}

/** Maximum length of the list. */
const MAX_STUDENT_WORKSHOPS = 60

/**
 * Published events that a student may attend: registered or open ones, next first. Refuses with forbidden for staff,
 * who have their own list.
 */
export async function listMyWorkshops(actor: Actor, now = new Date()): Promise<StudentWorkshop[]> {
  requireEventPermission(hasRole(actor, ['STUDENT']) ? allow('student') : deny('no_student'))
  const rows = await inTenant(actor, (tx) => {
    const session = currentSession(tx, now)
    const standing = eventStatusSql(session, now)
    const start = sql<Date | null>`coalesce(${session.startAt}, ${workshop.startAt})`.mapWith(workshop.startAt)
    const registered = isRegisteredSql(actor)
    return tx
      .select({
        id: workshop.id,
        type: workshop.type,
        title: workshop.title,
        access: workshop.access,
        timeZone: workshop.timeZone,
        plannedMinutes: workshop.plannedMinutes,
        canceledAt: workshop.canceledAt,
        startAt: start,
        status: standing,
        registered,
        cover: pictureColumns,
      })
      .from(workshop)
      .leftJoinLateral(session, sql`true`)
      .leftJoin(file, joinsCover)
      .where(
        and(
          isNull(workshop.deletedAt),
          isNull(workshop.archivedAt),
          eq(workshop.publication, 'published'),
          or(
            registered,
            and(
              isNull(workshop.canceledAt),
              inArray(workshop.access, ['open', 'registration', 'students']),
              inArray(standing, ['upcoming', 'pending', 'active']),
            ),
          ),
        ),
      )
      .orderBy(
        sql`case ${standing} when 'active' then 0 when 'pending' then 1 when 'upcoming' then 2 else 3 end`,
        sql`case when ${standing} in ('finished', 'expired') then ${start} end desc`,
        asc(start),
        asc(workshop.id),
      )
      .limit(MAX_STUDENT_WORKSHOPS)
  })
  return rows.map(({ cover, ...row }) => ({ ...row, cover: cover && pictureFor(actor, cover) }))
}
