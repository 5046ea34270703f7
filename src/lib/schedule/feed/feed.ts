import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { formatCalendarFeed } from '#lib/core/calendar/calendar.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { effectiveRoles } from '#lib/core/shared/role.ts'
import { DAY_MS, HOUR_SECONDS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { calendarEntryOf } from '../calendar-entry.ts'
import { loadItems } from '../schedule.ts'
import { scheduleFeedItem, scheduleReader } from '../table.ts'
import { type FeedEntry, syncFeedItems } from './feed-items.ts'
import { createFeedToken, digestFeedToken, parseFeedToken } from './token.ts'

/** The period that a feed contains, and its maximum number of items. */
const PAST_MS = 30 * DAY_MS
const AHEAD_MS = 180 * DAY_MS
const MAX_ITEMS = 2000
/** Requests with a known ETag are answered from it for this time, without reading the items. */
const ETAG_MS = 5 * MINUTE_MS

/** Creates the calendar feed of the actor, or a new address of it; the previous one ends. */
export async function renewFeed(actor: Actor, now = new Date()): Promise<{ href: string }> {
  const { tenantId, membershipId: memberId, subdomain } = actor
  const token = createFeedToken(tenantId)
  const feed = { feedDigest: digestFeedToken(token), feedCreatedAt: now, feedEtag: null, feedReadAt: null }
  await inTenant(actor, (tx) =>
    tx
      .insert(scheduleReader)
      .values({ tenantId, memberId, ...feed })
      .onConflictDoUpdate({ target: [scheduleReader.tenantId, scheduleReader.memberId], set: feed }),
  )
  const host = actor.accountType === 'ACCOUNT_TYPE_STUDENT' ? 'go' : subdomain
  return { href: addressOf(host, `/ical/${token}.ics`) }
}

/** Ends the calendar feed of the actor; a second call changes nothing. */
export async function revokeFeed(actor: Actor): Promise<{ revoked: true }> {
  const { membershipId } = actor
  await inTenant(actor, async (tx) => {
    await tx
      .update(scheduleReader)
      .set({ feedDigest: null, feedCreatedAt: null, feedEtag: null, feedReadAt: null })
      .where(eq(scheduleReader.memberId, membershipId))
    await tx.delete(scheduleFeedItem).where(eq(scheduleFeedItem.memberId, membershipId))
  })
  return { revoked: true }
}

export type FeedResponse = { etag: string; text: string | null }

/**
 * The calendar feed with a token; `text` is null when `knownEtag` is that of the current content. Refuses with not_found
 * for an unknown or revoked token and for members who are blocked.
 */
export async function readFeed(token: string, knownEtag: string | null, now = new Date()): Promise<FeedResponse> {
  const parsed = parseFeedToken(token)
  if (!parsed) throw new Refusal('not_found')
  return inTenant(parsed, async (tx) => {
    const reader = await findReader(tx, parsed.digest)
    if (!reader) throw new Refusal('not_found')
    const isFresh = reader.feedReadAt !== null && now.getTime() - reader.feedReadAt.getTime() < ETAG_MS
    if (isFresh && reader.feedEtag && knownEtag?.includes(reader.feedEtag)) return { etag: reader.feedEtag, text: null }
    const viewer = { ...reader, roles: effectiveRoles(reader.accountType, reader.roles) }
    const boundaries = [new Date(now.getTime() - PAST_MS), new Date(now.getTime() + AHEAD_MS)]
    const query = { boundaries, maxPerDay: MAX_ITEMS, zone: reader.timeZone, now, filters: {} }
    const { items } = await loadItems(tx, viewer, query)
    const entries = await syncFeedItems(tx, viewer, items.slice(0, MAX_ITEMS), now)
    const etag = etagOf(viewer.timeZone, entries)
    await tx
      .update(scheduleReader)
      .set({ feedEtag: etag, feedReadAt: now })
      .where(and(eq(scheduleReader.memberId, viewer.membershipId)))
    return { etag, text: knownEtag?.includes(etag) ? null : formatFeed(viewer, entries, now) }
  })
}

async function findReader(tx: Tx, digest: Buffer) {
  const [row] = await tx
    .select({
      tenantId: scheduleReader.tenantId,
      membershipId: scheduleReader.memberId,
      feedEtag: scheduleReader.feedEtag,
      feedReadAt: scheduleReader.feedReadAt,
      accountType: membership.accountType,
      roles: membership.roles,
      email: user.email,
      timeZone: user.timeZone,
      subdomain: tenant.subdomain,
      tenantName: tenant.name,
    })
    .from(scheduleReader)
    .innerJoin(
      membership,
      and(eq(membership.tenantId, scheduleReader.tenantId), eq(membership.id, scheduleReader.memberId)),
    )
    .innerJoin(user, eq(user.id, membership.userId))
    .innerJoin(tenant, eq(tenant.id, scheduleReader.tenantId))
    .where(and(eq(scheduleReader.feedDigest, digest), sql`${membership.blockedAt} is null`))
  return row ?? null
}

type Viewer = NonNullable<Awaited<ReturnType<typeof findReader>>>

function formatFeed(viewer: Viewer, entries: readonly FeedEntry[], now: Date): string {
  const list = entries.map(({ item, sequence, isCanceled, updatedAt }) => ({
    ...calendarEntryOf(viewer, item),
    sequence,
    isCanceled,
    stamp: updatedAt,
  }))
  return formatCalendarFeed({ name: viewer.tenantName, refreshSeconds: HOUR_SECONDS, entries: list }, now)
}

function etagOf(zone: string, entries: readonly FeedEntry[]): string {
  const hash = createHash('sha256').update(zone)
  for (const { item, sequence, isCanceled } of entries)
    hash.update(JSON.stringify([feedDescription(item), sequence, isCanceled]))
  return hash.digest('base64url').slice(0, 32)
}

const feedDescription = ({ kind, id, title, context, href, startAt, endAt }: ScheduleItem) => [
  kind,
  id,
  title,
  context,
  href,
  startAt.getTime(),
  endAt?.getTime() ?? null,
]
