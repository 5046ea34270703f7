import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { WorkshopStatus } from '#lib/core/shared/event/live-event.ts'
import { workshop, workshopSession } from './table.ts'

/**
 * Session that determines an event's status: the only one of a webinar or masterclass; for an auto-webinar the running
 * one, else the next, else the last.
 */
export function currentSession(tx: Tx, now: Date) {
  const { id, startAt, startedAt, finishedAt, plannedMinutes, kind, workshopId, tenantId, canceledAt } = workshopSession
  const over = sql`${startAt} + make_interval(mins => ${plannedMinutes}) <= ${now.toISOString()}::timestamptz`
  return tx
    .select({ id, startAt, startedAt, finishedAt })
    .from(workshopSession)
    .where(
      sql`${tenantId} = ${workshop.tenantId} and ${workshopId} = ${workshop.id} and ${kind} <> 'rehearsal'
        and (${kind} <> 'auto' or ${canceledAt} is null)`,
    )
    .orderBy(
      sql`${kind} = 'auto'`,
      sql`${over}`,
      sql`case when ${over} then ${startAt} end desc nulls first`,
      sql`${startAt}`,
    )
    .limit(1)
    .as('speaking')
}
export type CurrentSession = ReturnType<typeof currentSession>

/** `eventStatusOf` of rules.ts as SQL: a test compares both. */
export function eventStatusSql(session: CurrentSession, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`
  const start = sql`coalesce(${session.startAt}, ${workshop.startAt})`
  const ended = (minutes: ReturnType<typeof sql>) => sql`${start} + make_interval(mins => ${minutes}) <= ${at}`
  return sql<WorkshopStatus>`case
    when ${workshop.type} = 'masterclass' then
      case when ${workshop.publication} = 'published' and (${start} is null or ${start} <= ${at})
        then 'active' else 'upcoming' end
    when ${workshop.type} = 'autoWebinar' then
      case when ${start} is null or ${start} > ${at} then 'upcoming'
        when ${ended(sql`${workshop.plannedMinutes}`)} then 'finished' else 'active' end
    when ${session.finishedAt} is not null then 'finished'
    when ${session.startedAt} is not null then 'active'
    when ${start} is null or ${start} > ${at} then 'upcoming'
    when ${ended(sql`greatest(${workshop.plannedMinutes}, 60)`)} then 'expired'
    else 'pending' end`
}
