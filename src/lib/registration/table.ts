import { isNotNull } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { REGISTRATION_EMAILS, REGISTRATION_STATES } from '../core/shared/event/live-event.ts'
import { LOCALES } from '../core/shared/locale.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import { sessionKey, workshopKey } from '../workshop/table.ts'

/** A request to take part in an event. One per email address and event; for an auto-webinar one per session. */
export const registration = pgTable(
  'registration',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    /** Session of an auto-webinar; null for other events. */
    sessionId: uuid(),
    memberId: uuid(),
    email: text().notNull(),
    /** When its owner first used the personal link or a session. Emails before count against the budgets of billing. */
    addressConfirmedAt: instant(),
    /** Digest of the network from which an unverified visitor registered, under which these emails are counted. */
    networkDigest: text(),
    name: text().notNull(),
    phone: text(),
    answers: jsonb().$type<Record<string, string | string[]>>().notNull().default({}),
    locale: text({ enum: LOCALES }).notNull(),
    timeZone: text().notNull(),
    /** utm_* and the referrer. */
    source: jsonb().$type<Record<string, string>>().notNull().default({}),
    consentMarketingAt: instant(),
    state: text({ enum: REGISTRATION_STATES }).notNull().default('confirmed'),
    /** End of the seat offer to a waitlisted registrant. */
    offeredUntil: instant(),
    /**
     * SHA-256 of the key in the personal link, base64url; the key itself is in emails only, sealed for sending again.
     */
    joinDigest: text().notNull(),
    joinSealed: text().notNull(),
    icsSequence: integer().notNull().default(0),
    firstJoinedAt: instant(),
    lastSeenAt: instant(),
    watchedSeconds: integer().notNull().default(0),
    /** When it was confirmed: reminders due before are not sent. */
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
    index().on(table.tenantId, table.email),
    index().on(table.tenantId, table.sessionId).where(isNotNull(table.sessionId)),
    ...enumChecks(table),
    ...countChecks(table.icsSequence, table.watchedSeconds),
    lengthCheck(table.email, 254),
    lengthCheck(table.networkDigest, 64),
    lengthCheck(table.name, 161),
    lengthCheck(table.phone, 40),
    lengthCheck(table.timeZone, 64),
  ],
)

/** An email of an event to a registrant: each kind once per schedule and session, also under concurrency. */
export const registrationEmail = pgTable(
  'registration_email',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    registrationId: uuid().notNull(),
    sessionId: uuid(),
    kind: text({ enum: REGISTRATION_EMAILS }).notNull(),
    scheduleVersion: integer().notNull(),
    /** Most recent row of the outbox; the email may have been sent repeatedly. */
    mailId: uuid(),
    /** Emails of one staff action; they can be recalled together. */
    batchId: uuid(),
    createdAt: createdAt(),
    recalledAt: instant(),
    /** It was not sent, since a budget of emails to unconfirmed addresses was spent. */
    refusedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    registrationKey('registration_email_registration', [table.tenantId, table.registrationId]),
    unique('registration_email_once')
      .on(table.tenantId, table.registrationId, table.kind, table.scheduleVersion, table.sessionId)
      .nullsNotDistinct(),
    index().on(table.tenantId, table.workshopId, table.createdAt, table.id),
    ...enumChecks(table),
    ...versionChecks(table.scheduleVersion),
  ],
)

/** A request to be notified of the tenant's next event. */
export const nextEventRequest = pgTable(
  'next_event_request',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    workshopId: uuid().notNull(),
    email: text().notNull(),
    locale: text({ enum: LOCALES }).notNull(),
    timeZone: text().notNull(),
    createdAt: createdAt(),
    notifiedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    workshopKey('next_event_request_workshop', [table.tenantId, table.workshopId]),
    unique('next_event_request_once').on(table.tenantId, table.workshopId, table.email),
    index().on(table.tenantId, table.notifiedAt),
    ...enumChecks(table),
    lengthCheck(table.email, 254),
    lengthCheck(table.timeZone, 64),
  ],
)

const registrationKey = keyTo(registration)
