import { isNotNull, sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import {
  ITEM_KINDS,
  PUBLICATIONS,
  SESSION_KINDS,
  WORKSHOP_ACCESS,
  WORKSHOP_ROLES,
  WORKSHOP_SOURCES,
  WORKSHOP_TYPES,
} from '../core/shared/event/live-event.ts'
import { LOCALES } from '../core/shared/locale.ts'
import { fileKey } from '../storage/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import type { WorkshopSettings } from './schema.ts'
import type { RoomState } from './session/state-schema.ts'

/** A webinar, an auto-webinar or a masterclass, as its staff prepare it. */
export const workshop = pgTable(
  'workshop',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    type: text({ enum: WORKSHOP_TYPES }).notNull(),
    title: text().notNull(),
    description: text().notNull().default(''),
    coverFileId: uuid(),
    language: text({ enum: LOCALES }).notNull().default('uk'),
    publication: text({ enum: PUBLICATIONS }).notNull().default('draft'),
    // Null without a date; the times of an auto-webinar are in its plan.
    startAt: instant(),
    timeZone: text().notNull(),
    plannedMinutes: integer().notNull().default(60),
    access: text({ enum: WORKSHOP_ACCESS }).notNull().default('registration'),
    source: text({ enum: WORKSHOP_SOURCES }).notNull().default('builtin'),
    slidesFileId: uuid(),
    settings: jsonb().$type<WorkshopSettings>().notNull(),
    /** Increases when time or zone change: emails of an older schedule are not sent any more. */
    scheduleVersion: integer().notNull().default(1),
    version: integer().notNull().default(1),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    publishedAt: instant(),
    canceledAt: instant(),
    archivedAt: instant(),
    /** A deleted draft, which only undo restores, or an event that is in no list: see settings/unlisted.ts. */
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    fileKey('workshop_cover', [table.tenantId, table.coverFileId]),
    fileKey('workshop_slides', [table.tenantId, table.slidesFileId]),
    memberKey('workshop_created_by', [table.tenantId, table.createdBy]),
    index().on(table.tenantId, table.type, table.updatedAt, table.id),
    index().on(table.tenantId, table.startAt, table.id),
    index().on(table.tenantId, table.updatedAt, table.id),
    index().on(table.tenantId, table.coverFileId).where(isNotNull(table.coverFileId)),
    index().on(table.tenantId, table.slidesFileId).where(isNotNull(table.slidesFileId)),
    ...enumChecks(table),
    ...versionChecks(table.scheduleVersion, table.version),
    rangeCheck(table.plannedMinutes, 1, 1440),
    lengthCheck(table.title, 200),
    lengthCheck(table.description, 20_000),
    lengthCheck(table.timeZone, 64),
  ],
)

/** Foreign key to an event. */
export const workshopKey = keyTo(workshop)

export const workshopStaff = pgTable(
  'workshop_staff',
  {
    tenantId: tenantId().references(() => tenant.id),
    workshopId: uuid().notNull(),
    memberId: uuid().notNull(),
    role: text({ enum: WORKSHOP_ROLES }).notNull(),
    position: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.workshopId, table.memberId, table.role] }),
    workshopKey('workshop_staff_workshop', [table.tenantId, table.workshopId]),
    memberKey('workshop_staff_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId),
    ...enumChecks(table),
    ...countChecks(table.position),
  ],
)

/** Prepared buttons, polls and hand-outs. Deleted ones stay: the log and scripts refer to them. */
export const workshopItem = pgTable(
  'workshop_item',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    kind: text({ enum: ITEM_KINDS }).notNull(),
    position: integer().notNull().default(0),
    // ButtonContent, PollContent or HandoutContent, by the kind.
    content: jsonb().$type<object>().notNull(),
    createdAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    workshopKey('workshop_item_workshop', [table.tenantId, table.workshopId]),
    index().on(table.tenantId, table.workshopId, table.kind, table.position),
    ...enumChecks(table),
    ...countChecks(table.position),
  ],
)

/**
 * One run of an event: the live one, a rehearsal, a session of an auto-webinar, or the permanent one of a masterclass.
 */
export const workshopSession = pgTable(
  'workshop_session',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    kind: text({ enum: SESSION_KINDS }).notNull(),
    startAt: instant(),
    plannedMinutes: integer().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
    canceledAt: instant(),
    /** Sequence number of the next log entry; the row's lock orders the log. */
    nextSeq: bigint({ mode: 'number' }).notNull().default(1),
    /** State of the room after the last log entry. */
    state: jsonb().$type<RoomState>().notNull(),
    /** Video of the session, if available, and the offset of the session's start in it. */
    videoFileId: uuid(),
    videoOffsetMs: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    workshopKey('workshop_session_workshop', [table.tenantId, table.workshopId]),
    fileKey('workshop_session_video', [table.tenantId, table.videoFileId]),
    uniqueIndex('workshop_session_one').on(table.tenantId, table.workshopId).where(sql`kind in ('live', 'onDemand')`),
    uniqueIndex('workshop_session_start').on(table.tenantId, table.workshopId, table.startAt).where(sql`kind = 'auto'`),
    index().on(table.tenantId, table.workshopId, table.startAt),
    index().on(table.tenantId, table.videoFileId).where(isNotNull(table.videoFileId)),
    ...enumChecks(table),
    rangeCheck(table.nextSeq, 1),
    rangeCheck(table.plannedMinutes, 1, 1440),
  ],
)

/** Foreign key to a session. */
export const sessionKey = keyTo(workshopSession)
