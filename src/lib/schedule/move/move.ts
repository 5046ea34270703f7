import { sql } from 'drizzle-orm'
import { addMeeting } from '#lib/attendance/meeting.ts'
import { countAutoSessionPeople, moveAutoSession } from '#lib/autowebinar/session/move-session.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { addPeriods } from '#lib/core/calendar/add-periods.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { findBooking } from '#lib/mentoring/booking/answer.ts'
import { moveSession } from '#lib/mentoring/booking/move-session.ts'
import { requireEventPermission, requireManagedWorkshop } from '#lib/workshop/permission.ts'
import { readRegistrantCounts } from '#lib/workshop/registrant-counts.ts'
import { canCreateWorkshop } from '#lib/workshop/rules.ts'
import { duplicateWorkshop } from '#lib/workshop/settings/duplicate.ts'
import { lockWorkshopRow, saveWorkshop } from '#lib/workshop/settings/save.ts'
import { moveCourseDate, previewCourseDateMove } from '../course-date/move.ts'
import type { CourseDateKind } from '../course-date/schema.ts'
import { getScheduleNote, saveScheduleNote } from '../note.ts'
import { scheduleScope } from '../rules.ts'
import { requireScheduleItem } from '../schedule.ts'
import type { ScheduleItemKey } from '../schema.ts'
import type { ShiftedDate } from '../shift/plan.ts'
import { findConflicts, type MoveConflicts } from './conflicts.ts'
import { isCourseDateKind, type MoveScheduleItem, type RepeatWeekly } from './schema.ts'
import { findSessionConflicts } from './session-conflicts.ts'

export interface MovePreview {
  item: ScheduleItem
  startAt: Date
  endAt: Date | null
  /**
   * Confirmed registrants of an event or students of a course, who can be notified of the new time, or the students of a
   * session, who always are.
   */
  people: number
  /** Null for notes. */
  conflicts: MoveConflicts | null
  /** Further dates that move with that of a lesson or of homework. */
  together: ShiftedDate[]
}

/** What moving an item to a time would mean. Refuses with not_found where the actor does not see or cannot move it. */
export async function previewMove(
  actor: Actor,
  { key, startAt }: { key: ScheduleItemKey; startAt: Date },
  now = new Date(),
): Promise<MovePreview> {
  return inTenant(actor, async (tx) => {
    const item = await requireScheduleItem(tx, actor, key, now)
    if (!item.moveTarget) throw new Refusal('not_found')
    const lengthMs = item.endAt ? item.endAt.getTime() - item.startAt.getTime() : 0
    const endAt = item.endAt && new Date(startAt.getTime() + lengthMs)
    if (item.moveTarget.type === 'note') return { item, startAt, endAt, people: 0, conflicts: null, together: [] }
    if (isCourseDateKind(item.kind)) return previewDate(tx, actor, { ...item, kind: item.kind }, startAt, now)
    const zone = actor.tenantTimeZone
    if (item.moveTarget.type === 'booking') {
      const session = { bookingId: item.moveTarget.id, startAt, endAt: endAt ?? startAt, zone }
      return { item, startAt, endAt, together: [], ...(await findSessionConflicts(tx, session)) }
    }
    const workshopId = item.moveTarget.id
    const [people, conflicts] = await Promise.all([
      countPeople(tx, item, workshopId),
      findConflicts(tx, { workshopId, startAt, endAt: endAt ?? startAt, zone }),
    ])
    return { item, startAt, endAt, people, conflicts, together: [] }
  })
}

async function countPeople(tx: Tx, item: ScheduleItem, workshopId: string): Promise<number> {
  if (item.moveTarget?.type === 'autoSession') return countAutoSessionPeople(tx, workshopId, item.startAt)
  return item.isDraft ? 0 : (await readRegistrantCounts(tx, workshopId)).confirmed
}

// Working hours concern nobody's presence at a deadline.
async function previewDate(
  tx: Tx,
  actor: Actor,
  item: ScheduleItem & { kind: CourseDateKind },
  wantedAt: Date,
  now: Date,
): Promise<MovePreview> {
  const request = { kind: item.kind, id: item.id, startAt: wantedAt }
  const { startAt, people, together, holiday } = await previewCourseDateMove(tx, actor, request, now)
  const conflicts = { presenters: [], groups: [], outsideHours: null, holiday }
  return { item, startAt, endAt: null, people, conflicts, together }
}

/**
 * Moves an event, a session of an automated webinar or with a mentor, a date of a course or a note of the schedule, by the function of its module,
 * which checks the permission and tells registrants and students. Repeated, it changes nothing. Refuses with conflict
 * when the item was moved since `from`, and as saveWorkshop, moveAutoSession, moveSession, moveCourseDate and saveScheduleNote.
 */
export async function moveScheduleItem(
  actor: Actor,
  input: MoveScheduleItem,
  now = new Date(),
): Promise<{ startAt: string }> {
  const { kind, id, from, startAt, notify, reason } = input
  if (isCourseDateKind(kind)) {
    const request = { kind, id, from: new Date(from), startAt: new Date(startAt), notify }
    await moveCourseDate(actor, request, now)
    return { startAt }
  }
  if (kind !== 'note' && kind !== 'booking') requireMover(actor)
  await inTenant(actor, async (tx) => {
    if (kind === 'note') return moveNote(actor, { id, from, startAt })
    if (kind === 'autoWebinar') {
      const times = { from: new Date(from), startAt: new Date(startAt) }
      return moveAutoSession(actor, { workshopId: id, ...times, notify }, now)
    }
    if (kind === 'booking') return moveBookedSession(tx, actor, { id, from, startAt, reason }, now)
    return moveEvent(tx, actor, { id, from, startAt, notify })
  })
  return { startAt }
}

/** Students and members without a role in events move their notes only. */
function requireMover(actor: Actor): void {
  const scope = scheduleScope(actor)
  if (scope === 'student' || scope === 'notes') throw new Refusal('forbidden')
  requirePlan(actor, 'workshop')
}

async function moveNote(
  actor: Actor,
  { id, from, startAt }: Pick<MoveScheduleItem, 'id' | 'from' | 'startAt'>,
): Promise<void> {
  const { id: noteId, title, text, minutes, version, startAt: current } = await getScheduleNote(actor, { noteId: id })
  if (!requiresMove(current, from, startAt)) return
  await saveScheduleNote(actor, { noteId, title, text, minutes, version, startAt })
}

async function moveBookedSession(
  tx: Tx,
  actor: Actor,
  { id: bookingId, from, startAt, reason = '' }: Pick<MoveScheduleItem, 'id' | 'from' | 'startAt' | 'reason'>,
  now: Date,
): Promise<void> {
  const { session } = await findBooking(tx, actor, bookingId)
  if (!requiresMove(session.startAt, from, startAt)) return
  await moveSession(actor, { bookingId, startAt: new Date(startAt), reason }, now)
}

/** Moves an event. Refuses as moveScheduleItem. */
export async function moveEvent(
  tx: Tx,
  actor: Actor,
  { id: workshopId, from, startAt, notify }: Omit<MoveScheduleItem, 'kind' | 'reason'>,
): Promise<void> {
  const row = await lockWorkshopRow(tx, workshopId)
  if (!row.startAt || !requiresMove(row.startAt, from, startAt)) return
  await saveWorkshop(actor, { workshopId, ...fieldsOfEvent(row), startAt, notify })
}

/** What is saved of an event in addition to its start. */
const fieldsOfEvent = (row: Awaited<ReturnType<typeof lockWorkshopRow>>) => ({
  version: row.version,
  title: row.title,
  description: row.description,
  coverFileId: row.coverFileId,
  language: row.language,
  timeZone: row.timeZone,
  plannedMinutes: row.plannedMinutes,
  access: row.access,
  source: row.source,
  slidesFileId: row.slidesFileId,
})

/** False when the item has the new time already. Refuses with conflict when it has neither the old nor the new one. */
function requiresMove(current: Date, from: string, startAt: string): boolean {
  if (current.getTime() === Date.parse(startAt)) return false
  if (current.getTime() === Date.parse(from)) return true
  throw new Refusal('conflict', { fields: { form: ['changed_meanwhile'] } })
}

/**
 * Adds drafts of an event, one a week, at the same local time of its zone, with its staff, items and groups. Weeks in
 * which the event has a copy with the same title and time already are skipped, so that a repeated call adds none.
 * Refuses as duplicateWorkshop, and with conflict when the event was moved since `from`.
 */
export async function repeatWeekly(actor: Actor, input: RepeatWeekly): Promise<{ added: number }> {
  const { workshopId, weeks, from } = input
  requireEventPermission(canCreateWorkshop(actor))
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const { startAt, timeZone, title } = await lockWorkshopRow(tx, workshopId)
    if (startAt?.getTime() !== Date.parse(from))
      throw new Refusal('conflict', { fields: { form: ['changed_meanwhile'] } })
    const { rows } = await tx.execute<{ groupId: string }>(sql`select group_id as "groupId" from group_meeting
      where tenant_id = current_tenant() and workshop_id = ${workshopId}`)
    let added = 0
    for (let week = 1; week <= weeks; week++) {
      const next = addPeriods(startAt, { unit: 'week', count: week }, timeZone)
      if (await hasCopy(tx, title, next)) continue
      const copy = await duplicateWorkshop(actor, { workshopId })
      const fields = fieldsOfEvent(await lockWorkshopRow(tx, copy.workshopId))
      await saveWorkshop(actor, { ...copy, ...fields, title, startAt: next.toISOString() })
      for (const { groupId } of rows) await addMeeting(actor, { groupId, workshopId: copy.workshopId })
      added += 1
    }
    return { added }
  })
}

async function hasCopy(tx: Tx, title: string, startAt: Date): Promise<boolean> {
  const { rows } = await tx.execute(sql`select 1 from workshop where tenant_id = current_tenant() and title = ${title}
    and start_at = ${startAt.toISOString()} and deleted_at is null limit 1`)
  return rows.length > 0
}
