import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { matchesEither, matchesPhone, matchesSearch } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RegistrationState } from '#lib/core/shared/event/live-event.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { requireRegistrantAccess } from '../permission.ts'
import type { FormAnswers, ListRegistrations } from '../schema.ts'
import { registration } from '../table.ts'

export interface RegistrationListItem {
  id: string
  email: string
  name: string
  phone: string | null
  answers: FormAnswers
  state: RegistrationState
  offeredUntil: Date | null
  timeZone: string
  locale: 'uk' | 'en'
  source: Record<string, string>
  marketing: boolean
  reminders: boolean
  /** Number of emails that were not sent, since a budget of emails to unconfirmed addresses was spent. */
  refusedEmails: number
  /** Start of the auto-webinar session. */
  sessionStartAt: Date | null
  firstJoinedAt: Date | null
  watchedSeconds: number
  createdAt: Date
}

export interface RegistrationListPage {
  items: RegistrationListItem[]
  next: string | null
}

/** Registrations of an event, newest first. Refuses with forbidden, not_found, invalid (cursor). */
export function listRegistrations(actor: Actor, input: ListRegistrations): Promise<RegistrationListPage> {
  const { workshopId, state, search, cursor, limit } = input
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    await requireRegistrantAccess(tx, actor, workshopId)
    const rows = await selectRegistrations(tx, { workshopId, state, search, limit: limit + 1, after })
    const last = rows.length > limit ? rows[limit - 1] : undefined
    const items = rows.slice(0, limit).map(({ at: _, consent, without, ...row }) => ({
      ...row,
      marketing: consent !== null,
      reminders: without === null,
    }))
    return { items, next: last ? writeCursor(InstantKey, last) : null }
  })
}

/** Statement for a page of the list. */
export function selectRegistrations(tx: Tx, { workshopId, state, search, limit, after }: RegistrationQuery) {
  const older = after
    ? sql`(${registration.createdAt}, ${registration.id}) <
        ${rowOfKey(after)}`
    : undefined
  return tx
    .select({
      id: registration.id,
      email: registration.email,
      name: registration.name,
      phone: registration.phone,
      answers: registration.answers,
      state: registration.state,
      offeredUntil: registration.offeredUntil,
      timeZone: registration.timeZone,
      locale: registration.locale,
      source: registration.source,
      consent: registration.consentMarketingAt,
      without: registration.unsubscribedAt,
      refusedEmails: sql<number>`(select count(*)::int from registration_email e where e.tenant_id = ${registration.tenantId}
        and e.registration_id = ${registration.id} and e.refused_at is not null)`,
      firstJoinedAt: registration.firstJoinedAt,
      watchedSeconds: registration.watchedSeconds,
      sessionStartAt: workshopSession.startAt,
      createdAt: registration.createdAt,
      at: microsecondsOf(registration.createdAt),
    })
    .from(registration)
    .leftJoin(
      workshopSession,
      and(eq(workshopSession.tenantId, registration.tenantId), eq(workshopSession.id, registration.sessionId)),
    )
    .where(and(eq(registration.workshopId, workshopId), matchesState(state), matchesText(search), older))
    .orderBy(desc(registration.createdAt), desc(registration.id))
    .limit(limit)
}

type ListFilter = ReturnType<typeof ListRegistrations.parse>
type RegistrationQuery = Pick<ListFilter, 'workshopId' | 'state' | 'search' | 'limit'> & { after: InstantKey | null }

export type RegistrationCounts = Record<RegistrationState | 'all' | 'came', number>

/** Number of registrations per state. Refuses with forbidden, not_found. */
export function countRegistrations(actor: Actor, input: { workshopId: string }): Promise<RegistrationCounts> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireRegistrantAccess(tx, actor, workshopId)
    const { rows } = await tx.execute<{ state: RegistrationState; number: number; came: number }>(sql`
      select state, count(*)::int as number, count(first_joined_at)::int as came from registration
      where tenant_id = current_tenant() and workshop_id = ${workshopId} group by state`)
    const counts = { all: 0, came: 0, pending: 0, confirmed: 0, waitlisted: 0, declined: 0, canceled: 0 }
    for (const { state, number, came } of rows) {
      counts[state] = number
      counts.all += number
      counts.came += came
    }
    return counts
  })
}

/**
 * Registrations of an event by id, locked until the end of the transaction. Refuses with not_found when one is missing.
 */
export async function lockRegistrations(tx: Tx, workshopId: string, ids: string[]) {
  const rows = await tx
    .select()
    .from(registration)
    .where(and(eq(registration.workshopId, workshopId), sql`${registration.id} = any(${sql.param(ids)}::uuid[])`))
    .orderBy(registration.id)
    .for('update')
  if (rows.length < new Set(ids).size) throw new Refusal('not_found')
  return rows
}

function matchesState(state: ReturnType<typeof ListRegistrations.parse>['state']): SQL | undefined {
  if (state === 'all') return undefined
  if (state === 'came') return isNotNull(registration.firstJoinedAt)
  if (state === 'missed') return and(eq(registration.state, 'confirmed'), isNull(registration.firstJoinedAt))
  return eq(registration.state, state)
}

function matchesText(search: string): SQL | undefined {
  return matchesEither(
    matchesSearch(search, registration.name, registration.email),
    matchesPhone(search, registration.phone),
  )
}
