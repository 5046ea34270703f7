import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Publication, WorkshopRole, WorkshopStatus, WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { type Picture, pictureColumns, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { requireEventPermission } from './permission.ts'
import { confirmedCountSql } from './registrant-counts.ts'
import { canSeeWorkshops } from './rules.ts'
import type { ListWorkshops } from './schema.ts'
import { currentSession, eventStatusSql } from './status-sql.ts'
import { workshop, workshopStaff } from './table.ts'

export interface WorkshopListItem {
  id: string
  type: WorkshopType
  title: string
  publication: Publication
  status: WorkshopStatus
  /** For an auto-webinar the running session, else the next one. */
  startAt: Date | null
  timeZone: string
  plannedMinutes: number
  canceledAt: Date | null
  archivedAt: Date | null
  /** Number of confirmed registrations. */
  registered: number
  /** Event roles of the actor. */
  ownRoles: WorkshopRole[]
  /** With URLs signed for the actor. */
  cover: Picture | null
}

export interface WorkshopPage {
  items: WorkshopListItem[]
  /** Pass as `cursor` for the next page; null on the last one. */
  next: string | null
}

const PAGE_SIZE = 24

/** Events of the tenant, last changed first; one statement. Refuses with forbidden. */
export async function listWorkshops(actor: Actor, input: ListWorkshops, now = new Date()): Promise<WorkshopPage> {
  requireEventPermission(canSeeWorkshops(actor))
  const { type, publication, status, search, archived, cursor } = input
  const after = readCursor(InstantKey, cursor)
  const rows = await inTenant(actor, (tx) => {
    const session = currentSession(tx, now)
    const standing = eventStatusSql(session, now)
    return tx
      .select({
        id: workshop.id,
        type: workshop.type,
        title: workshop.title,
        publication: workshop.publication,
        timeZone: workshop.timeZone,
        plannedMinutes: workshop.plannedMinutes,
        canceledAt: workshop.canceledAt,
        archivedAt: workshop.archivedAt,
        startAt: sql<Date | null>`coalesce(${session.startAt}, ${workshop.startAt})`.mapWith(workshop.startAt),
        status: standing,
        registered: confirmedCountSql,
        ownRoles: rolesSql(actor),
        cover: pictureColumns,
        at: microsecondsOf(workshop.updatedAt),
      })
      .from(workshop)
      .leftJoinLateral(session, sql`true`)
      .leftJoin(file, joinsCover)
      .where(
        and(
          isNull(workshop.deletedAt),
          archived ? isNotNull(workshop.archivedAt) : isNull(workshop.archivedAt),
          type === 'all' ? undefined : eq(workshop.type, type),
          publication === 'all' ? undefined : eq(workshop.publication, publication),
          // A canceled event has no status: it is listed under "all" only.
          status === 'all' ? undefined : and(isNull(workshop.canceledAt), eq(standing, status)),
          matchesSearch(search, workshop.title),
          after ? sql`(${workshop.updatedAt}, ${workshop.id}) < ${rowOfKey(after)}` : undefined,
        ),
      )
      .orderBy(desc(workshop.updatedAt), desc(workshop.id))
      .limit(PAGE_SIZE + 1)
  })
  const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined
  const items = rows.slice(0, PAGE_SIZE).map(({ at: _, cover, ...item }) => ({
    ...item,
    cover: cover && pictureFor(actor, cover),
  }))
  return { items, next: last ? writeCursor(InstantKey, last) : null }
}

/** Join condition for an event's cover that is not deleted. */
export const joinsCover = and(
  eq(file.tenantId, workshop.tenantId),
  eq(file.id, workshop.coverFileId),
  isNull(file.deletedAt),
)

/** Event roles of the actor in the surrounding query. */
export function rolesSql({ membershipId }: Pick<Actor, 'membershipId'>) {
  const { tenantId, workshopId, memberId, role } = workshopStaff
  return sql<WorkshopRole[]>`(select coalesce(json_agg(${role} order by ${role}), '[]') from ${workshopStaff}
    where ${tenantId} = ${workshop.tenantId} and ${workshopId} = ${workshop.id} and ${memberId} = ${membershipId})`
}
