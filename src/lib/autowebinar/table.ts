import { isNotNull, sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { SCRIPT_ENTRY_TYPES, TRACKS } from '../core/shared/event/auto-event.ts'
import { DAY_MS } from '../core/shared/time.ts'
import { fileKey } from '../storage/table.ts'
import { tenant } from '../tenant/table.ts'
import { sessionKey, workshopKey } from '../workshop/table.ts'
import type { Disclosure, QuietHours, Schedule } from './schema.ts'

/** Video, schedule and options of an auto-webinar. One per workshop of the type autoWebinar. */
export const autoPlan = pgTable(
  'auto_plan',
  {
    tenantId: tenantId().references(() => tenant.id),
    workshopId: uuid().notNull(),
    /** Id under which the storage records the files of the plan. */
    id: id(),
    videoFileId: uuid(),
    /** Length of the video in milliseconds; while it is being composed, that of the source's log. */
    videoMs: integer().notNull().default(0),
    /** Offset in the video at which a session starts. */
    videoOffsetMs: integer().notNull().default(0),
    /** Source session, whose recording is used as soon as it exists. */
    sourceSessionId: uuid(),
    schedule: jsonb().$type<Schedule>().notNull(),
    quietHours: jsonb().$type<QuietHours>(),
    /** Seats of one session. */
    capacity: integer(),
    mutedTracks: text({ enum: TRACKS }).array().notNull().default(sql`'{}'::text[]`),
    mayRestart: boolean().notNull().default(false),
    mayPause: boolean().notNull().default(false),
    disclosure: jsonb().$type<Disclosure>().notNull(),
    /** Number of viewers of the source webinar. */
    watchedBefore: integer(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.workshopId] }),
    workshopKey('auto_plan_workshop', [table.tenantId, table.workshopId]),
    fileKey('auto_plan_video', [table.tenantId, table.videoFileId]),
    sessionKey('auto_plan_source', [table.tenantId, table.sourceSessionId]),
    index().on(table.tenantId, table.videoFileId).where(isNotNull(table.videoFileId)),
    index().on(table.tenantId, table.sourceSessionId).where(isNotNull(table.sourceSessionId)),
    ...enumChecks(table),
    ...countChecks(table.videoMs, table.watchedBefore),
    ...versionChecks(table.version),
    rangeCheck(table.videoOffsetMs, 0, DAY_MS),
    rangeCheck(table.capacity, 1, 100_000),
  ],
)

/** One entry of a script: a room event at an offset of the session. Deleted entries are kept for undo. */
export const autoScriptEntry = pgTable(
  'auto_script_entry',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    offsetMs: integer().notNull(),
    track: text({ enum: TRACKS }).notNull(),
    type: text({ enum: SCRIPT_ENTRY_TYPES }).notNull(),
    // The payload of the event of this type, its author's name and role in it.
    payload: jsonb().$type<object>().notNull(),
    /** Order of entries with the same offset. */
    position: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    workshopKey('auto_script_entry_workshop', [table.tenantId, table.workshopId]),
    index().on(table.tenantId, table.workshopId, table.offsetMs, table.position, table.id),
    ...enumChecks(table),
    ...countChecks(table.position),
    ...versionChecks(table.version),
    rangeCheck(table.offsetMs, 0, DAY_MS),
  ],
)

/** A viewer's own clock in a session, after a pause or a restart. */
export const autoClock = pgTable(
  'auto_clock',
  {
    tenantId: tenantId().references(() => tenant.id),
    personId: uuid().notNull(),
    sessionId: uuid().notNull(),
    /** Start of the session for this viewer. */
    startAt: instant().notNull(),
    /** Position while paused, in milliseconds. */
    pausedAtMs: integer(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.personId] }),
    sessionKey('auto_clock_session', [table.tenantId, table.sessionId]),
    index().on(table.tenantId, table.sessionId),
  ],
)
