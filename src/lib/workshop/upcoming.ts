import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopRole, WorkshopStatus, WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { rolesSql } from './list.ts'
import { requireEventPermission } from './permission.ts'
import { confirmedCountSql } from './registrant-counts.ts'
import { canCreateWorkshop, canSeeWorkshops } from './rules.ts'
import { currentSession, eventStatusSql } from './status-sql.ts'
import { workshop, workshopStaff } from './table.ts'

/** A running or upcoming event for the dashboard. */
export interface UpcomingWorkshop {
  id: string
  type: WorkshopType
  title: string
  status: WorkshopStatus
  startAt: Date
  timeZone: string
  plannedMinutes: number
  /** Number of confirmed registrations. */
  registered: number
  ownRoles: WorkshopRole[]
}

const MAX_UPCOMING = 4

/**
 * Published events that are live, pending or next, in this order: for presenters and moderators those they are assigned
 * to, for others all of the tenant. Refuses with forbidden.
 */
export async function listUpcomingWorkshops(actor: Actor, now = new Date()): Promise<UpcomingWorkshop[]> {
  requireEventPermission(canSeeWorkshops(actor))
  const rows = await inTenant(actor, (tx) => {
    const session = currentSession(tx, now)
    const standing = eventStatusSql(session, now)
    const start = sql<Date | null>`coalesce(${session.startAt}, ${workshop.startAt})`.mapWith(workshop.startAt)
    const assigned = tx
      .select({ id: workshopStaff.workshopId })
      .from(workshopStaff)
      .where(eq(workshopStaff.memberId, actor.membershipId))
    return tx
      .select({
        id: workshop.id,
        type: workshop.type,
        title: workshop.title,
        timeZone: workshop.timeZone,
        plannedMinutes: workshop.plannedMinutes,
        startAt: start,
        status: standing,
        registered: confirmedCountSql,
        ownRoles: rolesSql(actor),
      })
      .from(workshop)
      .leftJoinLateral(session, sql`true`)
      .where(
        and(
          isNull(workshop.deletedAt),
          isNull(workshop.archivedAt),
          isNull(workshop.canceledAt),
          eq(workshop.publication, 'published'),
          inArray(standing, ['active', 'pending', 'upcoming']),
          isNotNull(start),
          canCreateWorkshop(actor).allow ? undefined : inArray(workshop.id, assigned),
        ),
      )
      .orderBy(
        sql`case ${standing} when 'active' then 0 when 'pending' then 1 else 2 end`,
        asc(start),
        asc(workshop.id),
      )
      .limit(MAX_UPCOMING)
  })
  return rows.flatMap(({ startAt, ...row }) => (startAt ? [{ ...row, startAt }] : []))
}
