import { isNotNull } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { enumChecks, lengthCheck, rangeCheck } from '../../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../../core/db/columns.ts'
import { AUDIENCES, EVENT_TYPES, PARTICIPANT_KINDS, ROOM_ROLES } from '../../core/shared/event/live-event.ts'
import { LOCALES } from '../../core/shared/locale.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { sessionKey } from '../table.ts'

/** A participant of a session: one row per person, regardless of the number of windows. */
export const workshopParticipant = pgTable(
  'workshop_participant',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    sessionId: uuid().notNull(),
    workshopId: uuid().notNull(),
    kind: text({ enum: PARTICIPANT_KINDS }).notNull(),
    role: text({ enum: ROOM_ROLES }).notNull().default('viewer'),
    memberId: uuid(),
    /** Row of the registration module, which depends on this one: no foreign key. */
    registrationId: uuid(),
    name: text().notNull(),
    email: text(),
    locale: text({ enum: LOCALES }).notNull().default('uk'),
    timeZone: text().notNull().default('Europe/Kyiv'),
    /** Digest of a cookie, so that a ban applies to the device too. */
    device: text(),
    joinedAt: createdAt(),
    mutedUntil: instant(),
    isolatedAt: instant(),
    bannedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    sessionKey('workshop_participant_session', [table.tenantId, table.sessionId]),
    memberKey('workshop_participant_member', [table.tenantId, table.memberId]),
    uniqueIndex().on(table.tenantId, table.sessionId, table.memberId),
    uniqueIndex().on(table.tenantId, table.sessionId, table.registrationId),
    index().on(table.tenantId, table.sessionId, table.name, table.id),
    index().on(table.tenantId, table.sessionId, table.device),
    index().on(table.tenantId, table.memberId).where(isNotNull(table.memberId)),
    ...enumChecks(table),
    lengthCheck(table.name, 161),
    lengthCheck(table.email, 254),
    lengthCheck(table.timeZone, 64),
  ],
)

/** Event log of a session: append-only. Live state, statistics, replay and scripts are derived from it. */
export const workshopEvent = pgTable(
  'workshop_event',
  {
    tenantId: tenantId().references(() => tenant.id),
    sessionId: uuid().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    at: instant().notNull(),
    /** Since the start of the session, in milliseconds; below zero before it. */
    offsetMs: integer().notNull(),
    actorId: uuid(),
    clientId: text(),
    type: text({ enum: EVENT_TYPES }).notNull(),
    audience: text({ enum: AUDIENCES }).notNull().default('all'),
    personId: uuid(),
    payload: jsonb().$type<object>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId, table.seq] }),
    sessionKey('workshop_event_session', [table.tenantId, table.sessionId]),
    uniqueIndex().on(table.tenantId, table.sessionId, table.actorId, table.clientId),
    index().on(table.tenantId, table.sessionId, table.type, table.seq),
    ...enumChecks(table),
    rangeCheck(table.seq, 1),
  ],
)

/** Foreign key to a participant. */
export const participantKey = keyTo(workshopParticipant)
