import { boolean, foreignKey, index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { createdAt, tenantId } from '../core/db/columns.ts'
import { studyGroupKey } from '../course/learning/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import { workshopKey } from '../workshop/table.ts'

/** An event that is a meeting of a study group. */
export const groupMeeting = pgTable(
  'group_meeting',
  {
    tenantId: tenantId().references(() => tenant.id),
    groupId: uuid().notNull(),
    workshopId: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.groupId, table.workshopId] }),
    studyGroupKey('group_meeting_group', [table.tenantId, table.groupId]),
    workshopKey('group_meeting_workshop', [table.tenantId, table.workshopId]),
    index().on(table.tenantId, table.workshopId),
  ],
)

/** Attendance marked by staff; takes precedence over participation in the event. */
export const attendanceMark = pgTable(
  'attendance_mark',
  {
    tenantId: tenantId().references(() => tenant.id),
    groupId: uuid().notNull(),
    workshopId: uuid().notNull(),
    studentId: uuid().notNull(),
    isPresent: boolean().notNull(),
    by: uuid().notNull(),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.groupId, table.workshopId, table.studentId] }),
    foreignKey({
      name: 'attendance_mark_meeting',
      columns: [table.tenantId, table.groupId, table.workshopId],
      foreignColumns: [groupMeeting.tenantId, groupMeeting.groupId, groupMeeting.workshopId],
    }).onDelete('cascade'),
    memberKey('attendance_mark_student', [table.tenantId, table.studentId]),
    memberKey('attendance_mark_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.studentId),
    index().on(table.tenantId, table.by),
  ],
)
