import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { SCHEDULE_KINDS, type ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { scheduleFeedItem } from '../table.ts'

export interface FeedEntry {
  item: ScheduleItem
  sequence: number
  isCanceled: boolean
  /** When this version was seen first. */
  updatedAt: Date
}

type StoredItem = typeof scheduleFeedItem.$inferSelect

/**
 * Compares the items of a member's feed with those that it contained before, stores the changes, and returns the entries
 * with their sequence numbers. Items that are gone are returned as canceled until their time has passed. Drafts are not
 * part of feeds.
 */
export async function syncFeedItems(
  tx: Tx,
  { tenantId, membershipId }: { tenantId: string; membershipId: string },
  items: readonly ScheduleItem[],
  now: Date,
): Promise<FeedEntry[]> {
  const stored = await tx
    .select()
    .from(scheduleFeedItem)
    .where(eq(scheduleFeedItem.memberId, membershipId))
    .orderBy(scheduleFeedItem.key)
    .for('update')
  const before = new Map(stored.map((row) => [row.key, row]))
  const entries: FeedEntry[] = []
  const changed: StoredItem[] = []
  for (const item of items) {
    // Busy times come from another calendar of the member.
    if (item.isDraft || item.kind === 'busy') continue
    const key = `${item.kind}:${item.id}`
    const old = before.get(key)
    before.delete(key)
    const row = nextVersion({ tenantId, memberId: membershipId, key }, item, old, now)
    if (row !== old) changed.push(row)
    const { sequence, canceledAt, updatedAt } = row
    entries.push({ item, sequence, isCanceled: canceledAt !== null, updatedAt })
  }
  const gone = [...before.values()]
  for (const old of gone) {
    if (old.startAt <= now) continue
    const row = old.canceledAt ? old : { ...old, canceledAt: now, sequence: old.sequence + 1, updatedAt: now }
    if (row !== old) changed.push(row)
    const item = canceledItem(row)
    if (item) entries.push({ item, sequence: row.sequence, isCanceled: true, updatedAt: row.updatedAt })
  }
  await storeChanges(
    tx,
    changed,
    gone.filter(({ startAt }) => startAt <= now),
  )
  return entries
}

function nextVersion(
  own: Pick<StoredItem, 'tenantId' | 'memberId' | 'key'>,
  { title, startAt, endAt, isCanceled, sequence }: ScheduleItem,
  old: StoredItem | undefined,
  now: Date,
): StoredItem {
  const next = { ...own, title: title.slice(0, 300), startAt, endAt, canceledAt: isCanceled ? now : null }
  if (!old) return { ...next, sequence, updatedAt: now }
  const isMoved =
    old.startAt.getTime() !== startAt.getTime() ||
    old.endAt?.getTime() !== endAt?.getTime() ||
    (old.canceledAt !== null) !== isCanceled
  if (!isMoved && old.title === next.title && old.sequence >= sequence) return old
  const canceledAt = isCanceled ? (old.canceledAt ?? now) : null
  return {
    ...next,
    canceledAt,
    sequence: Math.max(isMoved ? old.sequence + 1 : old.sequence, sequence),
    updatedAt: now,
  }
}

/** A stored item that is gone; null for a kind that is no longer known. */
function canceledItem({ key, title, startAt, endAt, sequence }: StoredItem): ScheduleItem | null {
  const [name = '', id = ''] = key.split(':')
  const kind = SCHEDULE_KINDS.find((known) => known === name)
  if (!kind) return null
  const more = { context: null, href: null, isDraft: false, isCanceled: true, moveTarget: null }
  return { kind, id, title, startAt, endAt, sequence, ...more }
}

async function storeChanges(tx: Tx, changed: readonly StoredItem[], past: readonly StoredItem[]): Promise<void> {
  if (changed.length > 0) {
    await tx
      .insert(scheduleFeedItem)
      .values([...changed])
      .onConflictDoUpdate({
        target: [scheduleFeedItem.tenantId, scheduleFeedItem.memberId, scheduleFeedItem.key],
        set: {
          title: sql`excluded.title`,
          startAt: sql`excluded.start_at`,
          endAt: sql`excluded.end_at`,
          sequence: sql`excluded.sequence`,
          canceledAt: sql`excluded.canceled_at`,
          updatedAt: sql`excluded.updated_at`,
        },
      })
  }
  if (past.length > 0) {
    await tx.execute(sql`delete from schedule_feed_item where tenant_id = current_tenant()
      and member_id = ${past[0]?.memberId ?? null} and key = any(${sql.param(past.map(({ key }) => key))}::text[])`)
  }
}
