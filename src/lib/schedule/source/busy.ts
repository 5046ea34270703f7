import { sql } from 'drizzle-orm'
import type {
  ScheduleQuery,
  ScheduleResult,
  ScheduleSource,
  ScheduleViewer,
} from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { loadDayRows } from './day-rows.ts'

/** The reader's busy times from the calendar of another program; nobody else sees them. */
export const busySource: ScheduleSource = { kinds: ['busy'], loadItems: loadBusyTimes }

async function loadBusyTimes(tx: Tx, { membershipId }: ScheduleViewer, query: ScheduleQuery): Promise<ScheduleResult> {
  const { courseId, groupId, personId } = query.filters
  if (courseId || groupId || (personId && personId !== membershipId)) return { items: [] }
  const { rows, omitted } = await loadDayRows<{ startAt: string; endAt: string }>(tx, query, {
    columns: sql`b.end_at as "endAt"`,
    from: sql`busy_time b`,
    where: sql`b.tenant_id = current_tenant() and b.member_id = ${membershipId}`,
    start: sql`b.start_at`,
    id: sql`b.end_at`,
  })
  const items = rows.map(({ startAt, endAt }) => ({
    kind: 'busy' as const,
    id: String(Date.parse(startAt)),
    title: '',
    startAt: new Date(startAt),
    endAt: new Date(endAt),
    context: null,
    href: null,
    isDraft: false,
    isCanceled: false,
    sequence: 0,
    moveTarget: null,
  }))
  return { items, omitted }
}
