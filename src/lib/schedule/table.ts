import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { countChecks, lengthCheck, orderCheck, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { bytes, createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { studyGroupKey } from '../course/learning/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import type { ShiftEffect } from './shift/schema.ts'

/** A member's own note in the schedule; only its author sees it. */
export const scheduleNote = pgTable(
  'schedule_note',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    memberId: uuid().notNull(),
    title: text().notNull(),
    text: text().notNull().default(''),
    startAt: instant().notNull(),
    // Null: a moment.
    minutes: integer(),
    // Increases with changes of the time.
    sequence: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    // A deleted note can be restored by undo.
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('schedule_note_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId, table.startAt, table.id),
    ...countChecks(table.sequence),
    ...versionChecks(table.version),
    rangeCheck(table.minutes, 5, 1440),
    lengthCheck(table.title, 200),
    lengthCheck(table.text, 4000),
  ],
)

/** The working hours of a school in minutes of the local day; a school without a row has the default ones. */
export const workingHours = pgTable(
  'working_hours',
  {
    tenantId: tenantId()
      .primaryKey()
      .references(() => tenant.id),
    fromMinute: integer().notNull(),
    // 1440: midnight at the end of the day.
    toMinute: integer().notNull(),
  },
  (table) => [
    rangeCheck(table.fromMinute, 0, 1439),
    rangeCheck(table.toMinute, 1, 1440),
    orderCheck(table.fromMinute, table.toMinute),
  ],
)

/** How a member reads the schedule: the second time zone, and the address of the calendar feed. */
export const scheduleReader = pgTable(
  'schedule_reader',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    secondZone: text(),
    // Digest of the token of the feed; null: no feed.
    feedDigest: bytes(),
    feedCreatedAt: instant(),
    // ETag of the feed, and when its items were read last: for some minutes requests are compared with it alone.
    feedEtag: text(),
    feedReadAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId] }),
    memberKey('schedule_reader_member', [table.tenantId, table.memberId]),
    uniqueIndex('schedule_reader_feed').on(table.tenantId, table.feedDigest).where(sql`feed_digest is not null`),
    lengthCheck(table.secondZone, 64),
    lengthCheck(table.feedEtag, 64),
  ],
)

/**
 * The items that a member's calendar feed contains, as it was read last: a changed time gets a higher sequence number,
 * and an item that is gone is reported as canceled until its time has passed.
 */
export const scheduleFeedItem = pgTable(
  'schedule_feed_item',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    // Kind and id of the item.
    key: text().notNull(),
    title: text().notNull(),
    startAt: instant().notNull(),
    endAt: instant(),
    sequence: integer().notNull(),
    canceledAt: instant(),
    // Of this version, for the timestamp of the entry.
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId, table.key] }),
    memberKey('schedule_feed_item_member', [table.tenantId, table.memberId]),
    ...countChecks(table.sequence),
    lengthCheck(table.key, 200),
    lengthCheck(table.title, 300),
  ],
)

/** A shift of the schedule of a study group, with the data that undoing it needs. */
export const groupShift = pgTable(
  'group_shift',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    groupId: uuid().notNull(),
    by: uuid().notNull(),
    at: createdAt(),
    days: integer().notNull(),
    effect: jsonb().$type<ShiftEffect>().notNull(),
    undoneAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    studyGroupKey('group_shift_group', [table.tenantId, table.groupId]),
    memberKey('group_shift_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.groupId, table.at),
    index().on(table.tenantId, table.by),
    rangeCheck(table.days, -365, 365),
  ],
)
