import { and, desc, eq, isNotNull, ne, or, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { NumberKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SessionKind, WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { requireEventPermission } from '#lib/workshop/permission.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import type { ListStatistics } from './schema.ts'
import { sessionRollup } from './table.ts'

export interface SessionSummary {
  id: string
  workshopId: string
  title: string
  type: WorkshopType
  kind: SessionKind
  timeZone: string
  at: Date
  isRunning: boolean
  /** As of the last count; null before the first count. */
  viewers: number | null
  peak: number | null
  messages: number | null
  clicks: number | null
}

const PAGE_SIZE = 30

/** The sessions that took place, the newest first, 30 at a time, one statement. Refuses with forbidden, invalid. */
export async function listStatistics(
  actor: Actor,
  input: ListStatistics,
): Promise<{ items: SessionSummary[]; next: string | null }> {
  requireEventPermission(canSeeStatistics(actor))
  const { type, search, cursor } = input
  const after = readCursor(NumberKey, cursor)
  const { id, startedAt, startAt, createdAt, kind, finishedAt } = workshopSession
  const at = sql<Date>`coalesce(${startedAt}, ${startAt}, ${createdAt})`.mapWith(createdAt)
  const before = after && sql`(${at}, ${id}) < (${new Date(after.number)}, ${after.id}::uuid)`
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({
        id,
        workshopId: workshop.id,
        title: workshop.title,
        type: workshop.type,
        kind,
        at,
        finishedAt,
        timeZone: workshop.timeZone,
        totals: sessionRollup.totals,
        startedAt,
      })
      .from(workshopSession)
      .innerJoin(
        workshop,
        and(eq(workshop.tenantId, workshopSession.tenantId), eq(workshop.id, workshopSession.workshopId)),
      )
      .leftJoin(
        sessionRollup,
        and(eq(sessionRollup.tenantId, workshopSession.tenantId), eq(sessionRollup.sessionId, id)),
      )
      .where(
        and(
          ne(kind, 'rehearsal'),
          or(isNotNull(startedAt), isNotNull(sessionRollup.sessionId)),
          type === 'all' ? undefined : eq(workshop.type, type),
          matchesSearch(search, workshop.title),
          before ?? undefined,
        ),
      )
      .orderBy(desc(at), desc(id))
      .limit(PAGE_SIZE + 1),
  )
  const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined
  return {
    items: rows.slice(0, PAGE_SIZE).map(({ totals, startedAt: begun, finishedAt: ended, ...row }) => ({
      ...row,
      isRunning: begun !== null && ended === null && row.kind !== 'onDemand',
      viewers: totals?.viewers ?? null,
      peak: totals?.peak ?? null,
      messages: totals ? totals.messages + totals.questions : null,
      clicks: totals?.clicks ?? null,
    })),
    next: last ? writeCursor(NumberKey, { number: last.at.getTime(), id: last.id }) : null,
  }
}
