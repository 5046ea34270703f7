import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, rangeCheck } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { DEVICES } from '../core/shared/event/live-event.ts'
import { mentorSessionKey } from '../mentoring/booking/table.ts'
import { tenant } from '../tenant/table.ts'
import { participantKey } from '../workshop/session/event-table.ts'
import { sessionKey, workshopKey } from '../workshop/table.ts'

/** Room state outside the event log. Its lock orders seats, joins and leaves. */
export const meetingRoom = pgTable(
  'meeting_room',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    /** Last published number of viewers. */
    online: integer().notNull().default(0),
    onlineAt: instant(),
    waiting: integer().notNull().default(0),
    /** Since when nobody publishes; null while someone does, or nobody ever has. */
    silentAt: instant(),
    /** When a moderator took over the room of an absent host. */
    heldAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId] }),
    sessionKey('meeting_room_session', [table.tenantId, table.sessionId]),
    ...countChecks(table.online, table.waiting),
  ],
)

/** The room of a session with a mentor: an event that is in no list. A room that has ended is followed by another one. */
export const mentoringRoom = pgTable(
  'mentoring_room',
  {
    tenantId: tenantId().references(() => tenant.id),
    workshopId: uuid().notNull(),
    mentorSessionId: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.workshopId] }),
    workshopKey('mentoring_room_event', [table.tenantId, table.workshopId]),
    mentorSessionKey('mentoring_room_session', [table.tenantId, table.mentorSessionId]),
    index().on(table.tenantId, table.mentorSessionId, table.createdAt),
  ],
)

/** Presence of a participant, and the end of their seat reservation. */
export const meetingPresence = pgTable(
  'meeting_presence',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    personId: uuid().notNull(),
    /** Counts toward the plan's limit. */
    viewer: boolean().notNull(),
    present: boolean().notNull().default(false),
    /** When they joined or left last. */
    at: createdAt(),
    /** Total of completed stays. */
    seconds: integer().notNull().default(0),
    seatUntil: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.personId] }),
    sessionKey('meeting_presence_session', [table.tenantId, table.sessionId]),
    participantKey('meeting_presence_person', [table.tenantId, table.personId]),
    index('meeting_presence_here').on(table.tenantId, table.sessionId).where(sql`present`),
    index().on(table.tenantId, table.personId),
    ...countChecks(table.seconds),
  ],
)

/** Open event streams of a room. Each process sends heartbeats for its own; those of a killed process expire. */
export const meetingStream = pgTable(
  'meeting_stream',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    sessionId: uuid().notNull(),
    personId: uuid().notNull(),
    processId: uuid().notNull(),
    device: text({ enum: DEVICES }).notNull().default('unknown'),
    seenAt: createdAt(),
    closedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    sessionKey('meeting_stream_session', [table.tenantId, table.sessionId]),
    participantKey('meeting_stream_person', [table.tenantId, table.personId]),
    index().on(table.tenantId, table.sessionId, table.personId),
    index().on(table.tenantId, table.processId),
    ...enumChecks(table),
  ],
)

/** Waiting queue for seats, in order of arrival (ids sort by time). */
export const meetingQueue = pgTable(
  'meeting_queue',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    sessionId: uuid().notNull(),
    personId: uuid().notNull(),
    /** When they were last seen; participants who have left are skipped. */
    seenAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.personId] }),
    sessionKey('meeting_queue_session', [table.tenantId, table.sessionId]),
    participantKey('meeting_queue_person', [table.tenantId, table.personId]),
    index().on(table.tenantId, table.sessionId, table.id),
  ],
)

/** A vote in a poll: one per participant, the first counts. */
export const meetingVote = pgTable(
  'meeting_vote',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    pollId: uuid().notNull(),
    /** Which opening of the poll: it may be opened twice. */
    openedAt: instant().notNull(),
    personId: uuid().notNull(),
    choices: jsonb().$type<number[]>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.pollId, table.openedAt, table.personId] }),
    sessionKey('meeting_vote_session', [table.tenantId, table.sessionId]),
    participantKey('meeting_vote_person', [table.tenantId, table.personId]),
  ],
)

/** A participant saw or clicked a button; once per display. */
export const meetingButton = pgTable(
  'meeting_button',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    buttonId: uuid().notNull(),
    /** Which display of the button. */
    shownAt: instant().notNull(),
    personId: uuid().notNull(),
    sawAt: instant(),
    clickedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.buttonId, table.shownAt, table.personId] }),
    sessionKey('meeting_button_session', [table.tenantId, table.sessionId]),
    participantKey('meeting_button_person', [table.tenantId, table.personId]),
  ],
)

/** A participant's rating of an event. */
export const meetingRating = pgTable(
  'meeting_rating',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    personId: uuid().notNull(),
    stars: smallint().notNull(),
    text: text().notNull().default(''),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.personId] }),
    sessionKey('meeting_rating_session', [table.tenantId, table.sessionId]),
    participantKey('meeting_rating_person', [table.tenantId, table.personId]),
    rangeCheck(table.stars, 1, 5),
    lengthCheck(table.text, 2000),
  ],
)
