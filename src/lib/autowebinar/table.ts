import { isNotNull, sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { SCRIPT_ENTRY_TYPES, TRACKS } from '../core/shared/event/auto-event.ts'
import { fileKey } from '../storage/table.ts'
import { tenant } from '../tenant/table.ts'
import { sessionKey, workshopKey } from '../workshop/table.ts'
import type { Honest, QuietHours, Schedule } from './schema.ts'

/** What an auto-webinar is played from, when, and how. One a workshop of the type autoWebinar. */
export const autoPlan = pgTable(
  'auto_plan',
  {
    tenantId: tenantId().references(() => tenant.id),
    workshopId: uuid().notNull(),
    /** Under this id the storage room knows what the plan uses. */
    id: id(),
    filmFileId: uuid(),
    /** The whole length of the film in milliseconds; of a webinar whose film is still being made, that of its log. */
    filmMs: integer().notNull().default(0),
    /** Where in the film a showing begins. */
    filmOffsetMs: integer().notNull().default(0),
    /** The session it was made of, whose film is taken as soon as there is one. */
    sourceSessionId: uuid(),
    schedule: jsonb().$type<Schedule>().notNull(),
    quietHours: jsonb().$type<QuietHours>(),
    /** Seats of one showing. */
    capacity: integer(),
    mutedTracks: text({ enum: TRACKS }).array().notNull().default(sql`'{}'::text[]`),
    mayRestart: boolean().notNull().default(false),
    mayPause: boolean().notNull().default(false),
    honest: jsonb().$type<Honest>().notNull(),
    /** How many people were at the webinar that it was made of. */
    watchedBefore: integer(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.workshopId] }),
    workshopKey('auto_plan_workshop', [table.tenantId, table.workshopId]),
    fileKey('auto_plan_film', [table.tenantId, table.filmFileId]),
    sessionKey('auto_plan_source', [table.tenantId, table.sourceSessionId]),
    index().on(table.tenantId, table.filmFileId).where(isNotNull(table.filmFileId)),
    index().on(table.tenantId, table.sourceSessionId).where(isNotNull(table.sourceSessionId)),
    ...enumChecks(table),
    ...countChecks(table.filmMs, table.watchedBefore),
    ...versionChecks(table.version),
    rangeCheck(table.filmOffsetMs, 0, 86_400_000),
    rangeCheck(table.capacity, 1, 100_000),
  ],
)

/** One line of a script: what happens in the room at a moment of the showing. A deleted one is kept, for taking back. */
export const autoScriptEntry = pgTable(
  'auto_line',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    offsetMs: integer().notNull(),
    track: text({ enum: TRACKS }).notNull(),
    type: text({ enum: SCRIPT_ENTRY_TYPES }).notNull(),
    // The payload of the event of this type, its author's name and role in it.
    payload: jsonb().$type<object>().notNull(),
    /** The order of lines of the same moment. */
    position: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    workshopKey('auto_line_workshop', [table.tenantId, table.workshopId]),
    index().on(table.tenantId, table.workshopId, table.offsetMs, table.position, table.id),
    ...enumChecks(table),
    ...countChecks(table.position),
    ...versionChecks(table.version),
    rangeCheck(table.offsetMs, 0, 86_400_000),
  ],
)

/** The clock of one person in a showing, where it is not the showing's own: they paused, or began from the start. */
export const autoClock = pgTable(
  'auto_clock',
  {
    tenantId: tenantId().references(() => tenant.id),
    personId: uuid().notNull(),
    sessionId: uuid().notNull(),
    /** When the showing began for this person. */
    startAt: instant().notNull(),
    /** Where it stands while it is paused, in milliseconds. */
    pausedAtMs: integer(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.personId] }),
    sessionKey('auto_clock_session', [table.tenantId, table.sessionId]),
    index().on(table.tenantId, table.sessionId),
  ],
)
