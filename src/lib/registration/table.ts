import { isNotNull } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { REGISTRATION_EMAILS, REGISTRATION_STATES } from '../core/shared/event/live-event.ts'
import { LOCALES } from '../core/shared/locale.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import { sessionKey, workshopKey } from '../workshop/table.ts'

/** Somebody's word that they will come. One a person (address) and event; of an auto-webinar one a showing. */
export const registration = pgTable(
  'registration',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    /** The showing of an auto-webinar; null for a webinar and a masterclass. */
    sessionId: uuid(),
    memberId: uuid(),
    email: text().notNull(),
    name: text().notNull(),
    phone: text(),
    answers: jsonb().$type<Record<string, string | string[]>>().notNull().default({}),
    locale: text({ enum: LOCALES }).notNull(),
    timeZone: text().notNull(),
    /** utm_* and the referrer. */
    source: jsonb().$type<Record<string, string>>().notNull().default({}),
    consentMarketingAt: instant(),
    state: text({ enum: REGISTRATION_STATES }).notNull().default('confirmed'),
    /** A seat that somebody on the waiting list was offered, until then. */
    offeredUntil: instant(),
    /** SHA-256 of the personal link's token, base64url; the token itself is in letters only, sealed for sending again. */
    joinDigest: text().notNull(),
    joinSealed: text().notNull(),
    icsSequence: integer().notNull().default(0),
    firstJoinedAt: instant(),
    lastSeenAt: instant(),
    watchedSeconds: integer().notNull().default(0),
    /** Since when the seat is theirs: reminders that were due before are not sent. */
    confirmedAt: instant(),
    canceledAt: instant(),
    unsubscribedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    workshopKey('registration_workshop', [table.tenantId, table.workshopId]),
    sessionKey('registration_session', [table.tenantId, table.sessionId]),
    memberKey('registration_member', [table.tenantId, table.memberId]),
    unique('registration_once').on(table.tenantId, table.workshopId, table.email, table.sessionId).nullsNotDistinct(),
    uniqueIndex().on(table.tenantId, table.joinDigest),
    index().on(table.tenantId, table.workshopId, table.state, table.createdAt, table.id),
    index().on(table.tenantId, table.workshopId, table.createdAt, table.id),
    index().on(table.tenantId, table.memberId).where(isNotNull(table.memberId)),
    index().on(table.tenantId, table.sessionId).where(isNotNull(table.sessionId)),
    ...enumChecks(table),
    ...countChecks(table.icsSequence, table.watchedSeconds),
    lengthCheck(table.email, 254),
    lengthCheck(table.name, 161),
    lengthCheck(table.phone, 40),
    lengthCheck(table.timeZone, 64),
  ],
)

/** A letter of an event that was written to a registrant: each kind once a schedule and session, whoever runs twice. */
export const registrationEmail = pgTable(
  'registration_letter',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    registrationId: uuid().notNull(),
    sessionId: uuid(),
    kind: text({ enum: REGISTRATION_EMAILS }).notNull(),
    scheduleVersion: integer().notNull(),
    /** The row of the outbox that it became last; it may have been sent again. */
    mailId: uuid(),
    /** Letters that one act of staff caused; they can be recalled together. */
    batchId: uuid(),
    createdAt: createdAt(),
    recalledAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    registrationKey('registration_letter_registration', [table.tenantId, table.registrationId]),
    unique('registration_letter_once')
      .on(table.tenantId, table.registrationId, table.kind, table.scheduleVersion, table.sessionId)
      .nullsNotDistinct(),
    index().on(table.tenantId, table.workshopId, table.createdAt, table.id),
    ...enumChecks(table),
    ...versionChecks(table.scheduleVersion),
  ],
)

/** Somebody who wants to hear of the school's next event. */
export const registrationWish = pgTable(
  'registration_wish',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    email: text().notNull(),
    locale: text({ enum: LOCALES }).notNull(),
    timeZone: text().notNull(),
    createdAt: createdAt(),
    toldAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    workshopKey('registration_wish_workshop', [table.tenantId, table.workshopId]),
    unique('registration_wish_once').on(table.tenantId, table.workshopId, table.email),
    index().on(table.tenantId, table.toldAt),
    ...enumChecks(table),
    lengthCheck(table.email, 254),
    lengthCheck(table.timeZone, 64),
  ],
)

const registrationKey = keyTo(registration)
