import { and, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { NameKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireGroupWriter } from '#lib/course/group/group.ts'
import { requireGroup } from '#lib/course/group/list.ts'
import { loadMeetings, type Meeting, tookPart } from './meeting.ts'
import type { ATTENDANCE_SOURCES, ListAttendance, MarkAttendance } from './schema.ts'
import { attendanceMark } from './table.ts'

export interface AttendanceCell {
  /** Null: the meeting is not over, and the student was not marked. */
  isPresent: boolean | null
  source: (typeof ATTENDANCE_SOURCES)[number]
}

export interface AttendancePage {
  meetings: Meeting[]
  rows: { studentId: string; name: string; email: string; cells: AttendanceCell[] }[]
  next: string | null
}

/**
 * Attendance of the members of a group at its meetings, by name: as marked by staff, otherwise by participation in the
 * event. Refuses with forbidden, not_found.
 */
export async function listAttendance(actor: Actor, input: ListAttendance): Promise<AttendancePage> {
  const { groupId, cursor, limit } = input
  const after = readCursor(NameKey, cursor)
  return inTenant(actor, async (tx) => {
    const [, meetings, rows] = await Promise.all([
      requireGroup(tx, actor, groupId),
      loadMeetings(tx, groupId),
      loadRows(tx, { groupId, after, limit }),
    ])
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      meetings,
      rows: rows.slice(0, limit).map(({ studentId, name, email, attendance }) => ({
        studentId,
        name,
        email,
        cells: meetings.map((meeting) => cellOf(meeting, attendance[meeting.workshopId])),
      })),
      next: last ? writeCursor(NameKey, { name: last.sortName, id: last.studentId }) : null,
    }
  })
}

interface StoredAttendance {
  mark: boolean | null
  part: boolean
}

interface MemberAttendance extends Record<string, unknown> {
  studentId: string
  name: string
  email: string
  sortName: string
  attendance: Record<string, StoredAttendance | undefined>
}

async function loadRows(
  tx: Tx,
  { groupId, after, limit }: { groupId: string; after: NameKey | null; limit: number },
): Promise<MemberAttendance[]> {
  const sortName = sql`s.sort_name collate natural_order`
  const later = after ? sql`and (${sortName}, s.id) > (${after.name}, ${after.id}::uuid)` : sql``
  const { rows } = await tx.execute<MemberAttendance>(sql`
    select s.id as "studentId", s.name, s.email, ${sortName} as "sortName",
      (select coalesce(jsonb_object_agg(w.id, jsonb_build_object('part', ${tookPart}, 'mark', (
          select k.is_present from attendance_mark k where k.tenant_id = w.tenant_id and k.group_id = g.group_id
            and k.workshop_id = w.id and k.student_id = a.student_id))), '{}')
        from group_meeting g join workshop w on w.tenant_id = g.tenant_id and w.id = g.workshop_id
        where g.tenant_id = a.tenant_id and g.group_id = a.source_id) as attendance
    from enrolled_grants() a join student s on s.tenant_id = a.tenant_id and s.id = a.student_id
    where a.source_type = 'group' and a.source_id = ${groupId} ${later}
    order by ${sortName}, s.id limit ${limit + 1}`)
  return rows
}

function cellOf({ isOver }: Meeting, stored: StoredAttendance | undefined): AttendanceCell {
  if (stored && stored.mark !== null) return { isPresent: stored.mark, source: 'staff' }
  if (stored?.part) return { isPresent: true, source: 'event' }
  return isOver ? { isPresent: false, source: 'event' } : { isPresent: null, source: 'none' }
}

/**
 * Marks whether a member of a group attended a meeting; null removes the mark. Refuses with forbidden, plan_inactive,
 * not_found (no meeting or no member of the group).
 */
export async function markAttendance(actor: Actor, input: MarkAttendance): Promise<MarkAttendance> {
  requireGroupWriter(actor)
  const { groupId, workshopId, studentId, isPresent } = input
  return inTenant(actor, async (tx) => {
    await requireGroup(tx, actor, groupId)
    const { rows } = await tx.execute(sql`select 1 from group_meeting g
      join enrolled_grants() a on a.source_type = 'group' and a.source_id = g.group_id
      where g.tenant_id = current_tenant() and g.group_id = ${groupId} and g.workshop_id = ${workshopId}
        and a.student_id = ${studentId}`)
    if (rows.length === 0) throw new Refusal('not_found')
    const { tenantId, membershipId: by } = actor
    if (isPresent === null) {
      await tx
        .delete(attendanceMark)
        .where(
          and(
            eq(attendanceMark.groupId, groupId),
            eq(attendanceMark.workshopId, workshopId),
            eq(attendanceMark.studentId, studentId),
          ),
        )
      return input
    }
    await tx
      .insert(attendanceMark)
      .values({ tenantId, groupId, workshopId, studentId, isPresent, by })
      .onConflictDoUpdate({
        target: [attendanceMark.tenantId, attendanceMark.groupId, attendanceMark.workshopId, attendanceMark.studentId],
        set: { isPresent, by, at: new Date() },
      })
    return input
  })
}
