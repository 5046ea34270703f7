import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import type { readForeignCalendar } from '#lib/core/calendar/busy-times.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { fetchPublicText } from '#lib/core/http/outgoing/fetch-public.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { membership, user } from '#lib/user/table.ts'
import { notifyOfFreedTimes } from '../booking/waitlist.ts'
import { decryptAddress } from './busy-calendar.ts'
import type { CalendarError } from './schema.ts'
import { busyCalendar, busyTime } from './table.ts'

/** Times are known for as long as sessions can be booked. */
const AHEAD_MS = 190 * DAY_MS
const PAST_MS = DAY_MS
const READ_AGAIN_MS = 30 * MINUTE_MS
/** A calendar that cannot be read is tried less often. */
const RETRY_MS = 120 * MINUTE_MS
const MAX_PER_RUN = 50
/** Servers that do not answer delay the others little. */
const CONCURRENCY = 8
const LIMITS = { maxBytes: 4 * 1024 * 1024, timeoutMs: 15_000 }

const parse = workerTask<typeof readForeignCalendar>({
  file: 'src/lib/core/calendar/busy-times.ts',
  name: 'readForeignCalendar',
  lane: 'job',
  limitMs: 10_000,
  field: 'address',
})

type Fetch = (address: string, etag: string | null) => ReturnType<typeof fetchPublicText>
const fetchCalendar: Fetch = (address, etag) => fetchPublicText(address, { ...LIMITS, etag })

/**
 * Reads the calendar of a member and replaces the busy times; when it cannot be read the known times stay and the error
 * is stored, but those of a previous calendar end. Students on waitlists are notified of times that are free now.
 * Idempotent. Nothing happens when the calendar was removed or replaced meanwhile.
 */
export async function readBusyCalendar(
  { tenantId, memberId }: { tenantId: string; memberId: string },
  now = new Date(),
  fetchText: Fetch = fetchCalendar,
): Promise<void> {
  const [calendar] = await inTenant({ tenantId }, (tx) =>
    tx
      .select({
        address: busyCalendar.address,
        version: busyCalendar.version,
        etag: busyCalendar.etag,
        readAt: busyCalendar.readAt,
        zone: user.timeZone,
      })
      .from(busyCalendar)
      .innerJoin(
        membership,
        and(eq(membership.tenantId, busyCalendar.tenantId), eq(membership.id, busyCalendar.memberId)),
      )
      .innerJoin(user, eq(user.id, membership.userId))
      .where(and(eq(busyCalendar.memberId, memberId), isNull(membership.blockedAt))),
  )
  if (!calendar) return
  const result = await readTimes(calendar, now, fetchText)
  await inTenant({ tenantId }, async (tx) => {
    const isRead = !('error' in result)
    const dueAt = new Date(now.getTime() + (isRead ? READ_AGAIN_MS : RETRY_MS))
    const isCurrent = and(eq(busyCalendar.memberId, memberId), eq(busyCalendar.version, calendar.version))
    const [current] = await tx
      .update(busyCalendar)
      .set({
        readAt: now,
        dueAt,
        error: isRead ? null : result.error,
        ...('times' in result && { etag: result.etag, timeCount: result.times.length, skippedCount: result.skipped }),
      })
      .where(isCurrent)
      .returning({ memberId: busyCalendar.memberId })
    const times = 'times' in result ? result.times : calendar.readAt === null && !isRead ? [] : null
    if (!current || times === null) return
    await notifyOfFreedTimes(tx, memberId, now, () => replaceTimes(tx, { tenantId, memberId }, times))
  })
}

async function replaceTimes(
  tx: Tx,
  { tenantId, memberId }: { tenantId: string; memberId: string },
  times: readonly [number, number][],
): Promise<void> {
  await tx.delete(busyTime).where(eq(busyTime.memberId, memberId))
  if (times.length === 0) return
  const rows = times.map(([from, to]) => ({ tenantId, memberId, startAt: new Date(from), endAt: new Date(to) }))
  await tx.insert(busyTime).values(rows)
}

type ReadResult =
  | { times: [number, number][]; skipped: number; etag: string | null }
  | { unchanged: true }
  | { error: CalendarError }

async function readTimes(
  { address, etag, zone }: { address: string; etag: string | null; zone: string },
  now: Date,
  fetchText: Fetch,
): Promise<ReadResult> {
  const known = decryptAddress(address)
  if (!known) return { error: 'calendar_not_web' }
  // The period moves on, so that in the hour after midnight also an unchanged calendar is read.
  const fetched = await fetchText(known, now.getUTCHours() === 0 ? null : etag)
  if ('error' in fetched) return { error: `calendar_${fetched.error}` }
  if ('unchanged' in fetched) return fetched
  const period = { from: now.getTime() - PAST_MS, to: now.getTime() + AHEAD_MS }
  try {
    const { times, skipped } = await parse({ text: fetched.text, ...period, zone })
    return { times, skipped, etag: fetched.etag && fetched.etag.length <= 400 ? fetched.etag : null }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unprocessable') throw error
    const isTooComplex = error.details.fields?.address?.includes('parse_too_complex')
    return { error: isTooComplex ? 'calendar_too_large' : 'calendar_format' }
  }
}

/**
 * Reads the calendars that are due in all tenants. Returns their number. A failure is stored as the error of its member's
 * calendar, which is tried again later, and the others are read.
 */
export async function readDueCalendars(now = new Date(), fetchText: Fetch = fetchCalendar): Promise<number> {
  const job = 'mentoring.readCalendars'
  return forEachTenant({ job, dueSql: DUE_SQL, now }, async (tenantId) => {
    const due = await inTenant({ tenantId }, (tx) =>
      tx
        .select({ memberId: busyCalendar.memberId, version: busyCalendar.version })
        .from(busyCalendar)
        .where(lte(busyCalendar.dueAt, now))
        .orderBy(asc(busyCalendar.dueAt))
        .limit(MAX_PER_RUN),
    )
    const storeFailure = (calendar: (typeof due)[number]) => storeProgramError({ tenantId, ...calendar }, now)
    const calendars = { items: due, concurrency: CONCURRENCY, idOf: ({ memberId }: { memberId: string }) => memberId }
    return forEachItem({ job, tenantId, ...calendars, storeFailure }, ({ memberId }) =>
      readBusyCalendar({ tenantId, memberId }, now, fetchText),
    )
  })
}

function storeProgramError(calendar: { tenantId: string; memberId: string; version: number }, now: Date) {
  const { tenantId, memberId, version } = calendar
  return inTenant({ tenantId }, (tx) =>
    tx
      .update(busyCalendar)
      .set({ readAt: now, dueAt: new Date(now.getTime() + RETRY_MS), error: 'calendar_failed' })
      .where(and(eq(busyCalendar.memberId, memberId), eq(busyCalendar.version, version))),
  )
}

const DUE_SQL = `select 1 from tenant where id = current_tenant() and status = 'active'
  and exists (select 1 from busy_calendar where due_at <= $1)`
