import { and, eq, gte, inArray, isNotNull, isNull, lt, notExists, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { type EventRow, findEvent } from '../event.ts'
import { ofEvent } from '../seat.ts'
import { registration, registrationLetter } from '../table.ts'
import { dueOf, EARLY_MINUTES, type LadderKind, mayDisturb } from './rules.ts'
import { type RegistrationRow, writeLetters } from './send.ts'
import { hourIn } from './time-texts.ts'

export interface Reminding {
  tenantId: string
  workshopId: string
  sessionId: string | null
  kind: LadderKind
  /** Of the schedule it was planned by; letters of an older one are not sent. Absent: of the present one. */
  version?: number
}

/** Registrants a transaction. */
export const PAGE = 100

/**
 * Sends a letter of the ladder to all whom it concerns, page by page, each page with its letters in one transaction: what
 * a crash leaves out the next run writes, what is written is not written again. Sends nothing before its time, nothing
 * for the past, nothing by an older schedule, and nobody is woken at night. Gives how many letters were written.
 */
export async function remind({ tenantId, workshopId, sessionId, kind, version }: Reminding, now = new Date()) {
  let sent = 0
  for (;;) {
    const written = await inTenant({ tenantId }, async (tx) => {
      const event = await findEvent(tx, workshopId, sessionId)
      if (!event || !isDue(event, kind, now) || (version ?? event.scheduleVersion) !== event.scheduleVersion)
        return null
      const rows = await nextRows(tx, event, kind, now)
      return { tried: rows.length, sent: await writeLetters(tx, event, rows, kind, now) }
    })
    sent += written?.sent ?? 0
    if (!written || written.tried < PAGE) return sent
  }
}

/** Whether a letter of the ladder is to be sent now at all. */
export function isDue(event: EventRow, kind: LadderKind, now: Date): boolean {
  if (!event.published || event.canceled || event.settings.letters[kind]?.on === false) return false
  if (kind === 'startMissed' && !event.startedAt) return false
  if (event.type === 'masterclass') return false
  const due = dueOf(kind, event)
  return due !== null && due.from <= now && now < due.until
}

const AFTER: readonly LadderKind[] = ['attended', 'leftEarly', 'missed']

/** Whom a letter of the ladder concerns, whatever the hour and whoever has it already. */
export function concerned(event: EventRow, kind: LadderKind): SQL | undefined {
  const due = dueOf(kind, event)
  const seated = and(ofEvent(event), eq(registration.state, 'confirmed'), isNull(registration.unsubscribedAt))
  if (AFTER.includes(kind)) return and(seated, didWhat(event, kind))
  const inTime = due ? lt(registration.confirmedAt, due.from) : sql`false`
  const away = kind === 'day' || kind === 'hour' ? undefined : isNull(registration.firstJoinedAt)
  return and(seated, kind === 'startMissed' ? undefined : inTime, away)
}

function didWhat({ finishedAt }: EventRow, kind: LadderKind): SQL | undefined {
  if (!finishedAt) return sql`false`
  const early = new Date(finishedAt.getTime() - EARLY_MINUTES * 60_000)
  if (kind === 'missed') return isNull(registration.firstJoinedAt)
  const left = kind === 'leftEarly' ? lt(registration.lastSeenAt, early) : gte(registration.lastSeenAt, early)
  return and(isNotNull(registration.firstJoinedAt), left)
}

async function nextRows(tx: Tx, event: EventRow, kind: LadderKind, now: Date): Promise<RegistrationRow[]> {
  const waiting = and(concerned(event, kind), notExists(lettersOf(tx, event, kind)))
  const zones = await tx.selectDistinct({ zone: registration.timeZone }).from(registration).where(waiting)
  const awake = zones.map(({ zone }) => zone).filter((zone) => mayDisturb(kind, hourIn(now, zone)))
  if (awake.length === 0) return []
  return tx
    .select()
    .from(registration)
    .where(and(waiting, inArray(registration.timeZone, awake)))
    .orderBy(registration.id)
    .limit(PAGE)
}

/** Letters of a kind that a registration of the surrounding query has had for the present schedule. */
export function lettersOf(tx: Tx, event: EventRow, kind: LadderKind) {
  return tx
    .select({ one: sql`1` })
    .from(registrationLetter)
    .where(
      and(
        eq(registrationLetter.tenantId, registration.tenantId),
        eq(registrationLetter.registrationId, registration.id),
        eq(registrationLetter.kind, kind),
        eq(registrationLetter.scheduleVersion, event.scheduleVersion),
        event.sessionId ? eq(registrationLetter.sessionId, event.sessionId) : isNull(registrationLetter.sessionId),
      ),
    )
}
