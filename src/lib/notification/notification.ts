import { and, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { publishToEach } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { NotificationChange, NotificationView } from './output-schema.ts'
import type { ArchiveNotifications, ListNotifications, MarkRead, UndoNotificationChange } from './schema.ts'
import { notification } from './table.ts'

/** The actor's notifications in this tenant, the latest first. Refuses with invalid (cursor). */
export async function listNotifications(
  actor: Actor,
  { view, cursor, limit }: ListNotifications,
): Promise<{ items: NotificationView[]; next: string | null }> {
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    const rows = await tx
      .select({
        id: notification.id,
        kind: notification.kind,
        data: notification.data,
        link: notification.link,
        count: notification.count,
        latestAt: notification.latestAt,
        readAt: notification.readAt,
        archivedAt: notification.archivedAt,
        micros: microsecondsOf(notification.latestAt),
      })
      .from(notification)
      .where(and(isOwnNotification(actor), IS_IN_VIEW[view], isOlder(after)))
      .orderBy(desc(notification.latestAt), desc(notification.id))
      .limit(limit + 1)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map(({ micros: _, ...item }) => item),
      next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null,
    }
  })
}

/** The number of unread notifications of the actor. */
export function countUnread(actor: Actor): Promise<number> {
  return inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({ count: count() })
      .from(notification)
      .where(and(isOwnNotification(actor), IS_IN_VIEW.unread))
    return row?.count ?? 0
  })
}

/** Marks a notification as read and returns the path that it links to. Refuses with not_found. */
export function openNotification(actor: Actor, { notificationId }: { notificationId: string }): Promise<string> {
  return inTenant(actor, async (tx) => {
    const isOpened = and(isOwnNotification(actor), eq(notification.id, notificationId))
    const [opened] = await tx.select({ link: notification.link }).from(notification).where(isOpened)
    if (!opened) throw new Refusal('not_found')
    await tx
      .update(notification)
      .set({ readAt: new Date(), groupKey: null })
      .where(and(isOpened, isNull(notification.readAt)))
    await publishChange(actor)
    return opened.link
  })
}

/**
 * Marks notifications of the actor as read: those with the ids, or all unread ones. Refuses with not_found
 * when an id is not one of theirs.
 */
export function markRead(actor: Actor, { ids }: MarkRead): Promise<NotificationChange> {
  return change(actor, { ids, isUnchanged: IS_IN_VIEW.unread }, (at) => ({ readAt: at }))
}

/**
 * Archives notifications of the actor; they no longer count as unread. Refuses with not_found when an id is not one of
 * theirs.
 */
export function archiveNotifications(actor: Actor, { ids }: ArchiveNotifications): Promise<NotificationChange> {
  return change(actor, { ids, isUnchanged: IS_IN_VIEW.all }, (at) => ({ archivedAt: at }))
}

/** Reverts the change that was made at an instant; a repeated call changes nothing. */
export function undoNotificationChange(
  actor: Actor,
  { change: changed, at }: UndoNotificationChange,
): Promise<{ count: number }> {
  const column = changed === 'read' ? 'readAt' : 'archivedAt'
  return inTenant(actor, async (tx) => {
    const reverted = await tx
      .update(notification)
      .set({ [column]: null })
      .where(and(isOwnNotification(actor), eq(notification[column], new Date(at))))
      .returning({ id: notification.id })
    if (reverted.length > 0) await publishChange(actor)
    return { count: reverted.length }
  })
}

/** Marks the unread notifications of a group as read for a member, in the transaction in which they read its subject. */
export async function markGroupRead(tx: Tx, memberId: string, groupKey: string): Promise<void> {
  const read = await tx
    .update(notification)
    .set({ readAt: new Date(), groupKey: null })
    .where(
      and(
        eq(notification.tenantId, sql`current_tenant()`),
        eq(notification.memberId, memberId),
        eq(notification.groupKey, groupKey),
      ),
    )
    .returning({ id: notification.id })
  if (read.length > 0) await publishToEach([`notification:${memberId}`], {})
}

// The other devices of the person read the number again.
const publishChange = (actor: Actor) => publishToEach([`notification:${actor.membershipId}`], {})

const isOwnNotification = (actor: Actor) =>
  and(eq(notification.tenantId, actor.tenantId), eq(notification.memberId, actor.membershipId))

const IS_IN_VIEW = {
  unread: and(isNull(notification.readAt), isNull(notification.archivedAt)),
  all: isNull(notification.archivedAt),
  archived: isNotNull(notification.archivedAt),
}

// The group is closed: what happens later is a new notification, so that an undo never meets a newer one.
function change(
  actor: Actor,
  { ids, isUnchanged }: { ids: string[] | undefined; isUnchanged: SQL | undefined },
  values: (at: Date) => { readAt: Date } | { archivedAt: Date },
): Promise<NotificationChange> {
  return inTenant(actor, async (tx) => {
    const isSelected = and(isOwnNotification(actor), ids && inArray(notification.id, ids))
    if (ids && (await tx.$count(notification, isSelected)) < new Set(ids).size) throw new Refusal('not_found')
    const at = new Date()
    const changed = await tx
      .update(notification)
      .set({ ...values(at), groupKey: null })
      .where(and(isSelected, isUnchanged))
      .returning({ id: notification.id })
    if (changed.length > 0) await publishChange(actor)
    return { count: changed.length, at: at.toISOString() }
  })
}

function isOlder(after: InstantKey | null): SQL | undefined {
  if (!after) return undefined
  return sql`(${notification.latestAt}, ${notification.id}) <
    ${rowOfKey(after)}`
}
