import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks } from '../core/db/checks.ts'
import { tenantId } from '../core/db/columns.ts'
import { DEVICES } from '../core/shared/event/live-event.ts'
import { tenant } from '../tenant/table.ts'
import { participantKey } from '../workshop/session/event-table.ts'
import { sessionKey } from '../workshop/table.ts'
import type { Totals, ViewingInterval } from './tally-schema.ts'

/* Rollups of the event log for pages. They can be deleted and rebuilt. */

const ms = () => bigint({ mode: 'number' })

/** Last counted entry of a session's log, and the totals. */
export const sessionRollup = pgTable(
  'session_rollup',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    countedSeq: ms().notNull().default(0),
    totals: jsonb().$type<Totals>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId] }),
    sessionKey('session_rollup_session', [table.tenantId, table.sessionId]),
    ...countChecks(table.countedSeq),
  ],
)

export const sessionMinute = pgTable(
  'session_minute',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    /** Minutes since 1970. */
    minute: integer().notNull(),
    joined: integer().notNull(),
    left: integer().notNull(),
    messages: integer().notNull(),
    questions: integer().notNull(),
    reactions: integer().notNull(),
    clicks: integer().notNull(),
    online: integer().notNull(),
    peak: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.minute] }),
    sessionKey('session_minute_session', [table.tenantId, table.sessionId]),
    ...countChecks(table.joined, table.left, table.messages, table.questions, table.reactions, table.clicks),
  ],
)

export const sessionButton = pgTable(
  'session_button',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    buttonId: uuid().notNull(),
    label: text().notNull(),
    shown: integer().notNull(),
    saw: integer().notNull(),
    clicked: integer().notNull(),
    clicks: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.buttonId] }),
    sessionKey('session_button_session', [table.tenantId, table.sessionId]),
    ...countChecks(table.shown, table.saw, table.clicked, table.clicks),
  ],
)

/** A viewer's attendance; instants in milliseconds since 1970. */
export const sessionViewer = pgTable(
  'session_viewer',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    participantId: uuid().notNull(),
    firstAt: ms().notNull(),
    lastAt: ms().notNull(),
    hereSince: ms(),
    hiddenSince: ms(),
    watchedMs: ms().notNull(),
    hiddenMs: ms().notNull(),
    stays: jsonb().$type<ViewingInterval[]>().notNull(),
    device: text({ enum: DEVICES }),
    messages: integer().notNull(),
    questions: integer().notNull(),
    reactions: integer().notNull(),
    votes: integer().notNull(),
    clicks: integer().notNull(),
    saw: uuid().array().notNull(),
    clicked: uuid().array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.participantId] }),
    participantKey('session_viewer_participant', [table.tenantId, table.participantId]),
    index().on(table.tenantId, table.sessionId, table.firstAt, table.participantId),
    index().on(table.tenantId, table.sessionId, table.watchedMs, table.participantId),
    ...enumChecks(table),
    ...countChecks(table.messages, table.questions, table.reactions, table.votes, table.clicks),
  ],
)
