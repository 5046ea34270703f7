import { sql } from 'drizzle-orm'
import type {
  ScheduleQuery,
  ScheduleResult,
  ScheduleSource,
  ScheduleViewer,
} from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { loadDayRows } from './day-rows.ts'

interface NoteRow extends Record<string, unknown> {
  id: string
  title: string
  startAt: string
  minutes: number | null
  sequence: number
}

/** The reader's own notes. */
export const noteSource: ScheduleSource = { kinds: ['note'], loadItems: loadNotes }

async function loadNotes(tx: Tx, { membershipId }: ScheduleViewer, query: ScheduleQuery): Promise<ScheduleResult> {
  const { courseId, groupId, personId } = query.filters
  if (courseId || groupId || (personId && personId !== membershipId)) return { items: [] }
  const { rows, omitted } = await loadDayRows<NoteRow>(tx, query, {
    columns: sql`n.id, n.title, n.minutes, n.sequence`,
    from: sql`schedule_note n`,
    where: sql`n.tenant_id = current_tenant() and n.member_id = ${membershipId} and n.deleted_at is null`,
    start: sql`n.start_at`,
    id: sql`n.id`,
  })
  const items = rows.map(({ id, title, minutes, sequence, startAt: start }) => {
    const startAt = new Date(start)
    return {
      kind: 'note' as const,
      id,
      title,
      startAt,
      endAt: minutes === null ? null : new Date(startAt.getTime() + minutes * MINUTE_MS),
      context: null,
      href: null,
      isDraft: false,
      isCanceled: false,
      sequence,
      moveTarget: { type: 'note' as const, id },
    }
  })
  return { items, omitted }
}
