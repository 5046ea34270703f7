import { and, asc, desc, eq, gt, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { NumberKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Device } from '#lib/core/shared/event/live-event.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { registration } from '#lib/registration/table.ts'
import { requireEventPermission } from '#lib/workshop/permission.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import type { ListViewers } from './schema.ts'
import { sessionViewer } from './table.ts'
import { STAYED_TO_END_MINUTES, watchedUntil } from './tally-rules.ts'
import type { ViewingInterval } from './tally-schema.ts'

export interface ViewerRow {
  id: string
  name: string
  email: string | null
  kind: 'staff' | 'student' | 'registrant' | 'guest'
  isPresent: boolean
  firstAt: Date
  lastAt: Date
  watchedSeconds: number
  /** Share with a visible window: 0 to 1. */
  attention: number | null
  /** Stays, in milliseconds since 1970; the last one is open while they are present. */
  stays: (readonly [number, number | null])[]
  messages: number
  questions: number
  votes: number
  saw: number
  clicks: number
  device: Device | null
  /** Source: utm_source or the referrer. */
  source: string | null
}

const PAGE_SIZE = 50
/** Maximum of exported viewers. */
const MAX_EXPORTED = 100_000

/** Viewers of a session, 50 per page, by join time or watched time. Refuses with forbidden, not_found, invalid. */
export async function listViewers(
  actor: Actor,
  query: ListViewers,
  now = new Date(),
): Promise<{ items: ViewerRow[]; next: string | null }> {
  requireEventPermission(canSeeStatistics(actor))
  return inTenant(actor, async (tx) => {
    const rows = await readViewers(tx, query, PAGE_SIZE + 1, now)
    const items = rows.slice(0, PAGE_SIZE)
    const last = items.at(-1)
    const number = query.order === 'joined' ? last?.row.firstAt : last?.row.watchedMs
    const next =
      rows.length > PAGE_SIZE && last
        ? writeCursor(NumberKey, { number: number ?? 0, id: last.row.participantId })
        : null
    return { items: items.map((record) => toViewerRow(record, now)), next }
  })
}

/** The same without pages, for a file. */
export async function exportViewers(
  actor: Actor,
  query: Omit<ListViewers, 'cursor'>,
  now = new Date(),
): Promise<ViewerRow[]> {
  requireEventPermission(canSeeStatistics(actor))
  const rows = await inTenant(actor, (tx) => readViewers(tx, { ...query, cursor: undefined }, MAX_EXPORTED, now))
  return rows.map((record) => toViewerRow(record, now))
}

async function readViewers(tx: Tx, query: ListViewers, limit: number, now: Date) {
  const [session] = await tx
    .select({ finishedAt: workshopSession.finishedAt })
    .from(workshopSession)
    .where(eq(workshopSession.id, query.sessionId))
  if (!session) throw new Refusal('not_found')
  const { tenantId, participantId, firstAt, watchedMs } = sessionViewer
  const joined = query.order === 'joined'
  return tx
    .select({
      row: sessionViewer,
      name: workshopParticipant.name,
      email: workshopParticipant.email,
      kind: workshopParticipant.kind,
      source: registration.source,
    })
    .from(sessionViewer)
    .innerJoin(
      workshopParticipant,
      and(eq(workshopParticipant.tenantId, tenantId), eq(workshopParticipant.id, participantId)),
    )
    .leftJoin(
      registration,
      and(eq(registration.tenantId, tenantId), eq(registration.id, workshopParticipant.registrationId)),
    )
    .where(
      and(
        eq(sessionViewer.sessionId, query.sessionId),
        matchesFilter(query, session.finishedAt ?? now),
        query.search ? matchesText(query.search) : undefined,
        isAfterCursor(query),
      ),
    )
    .orderBy(joined ? asc(firstAt) : desc(watchedMs), joined ? asc(participantId) : desc(participantId))
    .limit(limit)
}

function matchesFilter({ show, buttonId }: ListViewers, end: Date): SQL | undefined {
  const { hereSince, lastAt, saw, clicked } = sessionViewer
  const record = (column: AnyPgColumn) =>
    buttonId ? sql`${buttonId}::uuid = any(${column})` : sql`cardinality(${column}) > 0`
  switch (show) {
    case 'here':
      return isNotNull(hereSince)
    case 'clicked':
      return record(clicked)
    case 'sawOnly':
      return sql`${record(saw)} and not (${record(clicked)})`
    case 'leftEarly':
      return sql`${hereSince} is null and ${lastAt} < ${end.getTime() - STAYED_TO_END_MINUTES * MINUTE_MS}::bigint`
    case 'all':
      return undefined
  }
}

function matchesText(search: string): SQL | undefined {
  return matchesSearch(search, workshopParticipant.name, sql`coalesce(${workshopParticipant.email}, '')`)
}

function isAfterCursor({ cursor, order }: ListViewers): SQL | undefined {
  const after = readCursor(NumberKey, cursor)
  if (!after) return undefined
  const { participantId, firstAt, watchedMs } = sessionViewer
  const { number, id } = after
  return order === 'joined'
    ? or(gt(firstAt, number), and(eq(firstAt, number), gt(participantId, id)))
    : or(lt(watchedMs, number), and(eq(watchedMs, number), lt(participantId, id)))
}

type ViewerRecord = Awaited<ReturnType<typeof readViewers>>[number]

function toViewerRow({ row, name, email, kind, source }: ViewerRecord, now: Date): ViewerRow {
  const { watchedMs, attention } = watchedUntil(row, now.getTime())
  const open: [number, null][] = row.hereSince === null ? [] : [[row.hereSince, null]]
  const stays: (readonly [number, number | null])[] = [
    ...row.stays.map(([from, to]: ViewingInterval) => [from, to] as const),
    ...open,
  ]
  return {
    id: row.participantId,
    name,
    email,
    kind,
    isPresent: row.hereSince !== null,
    firstAt: new Date(row.firstAt),
    lastAt: new Date(row.lastAt),
    watchedSeconds: Math.round(watchedMs / 1000),
    attention,
    stays,
    messages: row.messages,
    questions: row.questions,
    votes: row.votes,
    saw: row.saw.length,
    clicks: row.clicks,
    device: row.device,
    source: source?.utm_source ?? source?.referrer ?? null,
  }
}
