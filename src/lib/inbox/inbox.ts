import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { instantOfKey } from '#lib/core/db/keyset.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { TimedCache } from '#lib/core/timed-cache.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import { shownItems, waitingItems } from './item-sql.ts'
import type { InboxCounts, InboxItemView, InboxPage } from './output-schema.ts'
import { requireInbox } from './permission.ts'
import type { InboxItemInput, InboxTab, ListInbox } from './schema.ts'

/** The deadline in microseconds since 1970, and the item. */
const DueKey = z.object({ at: z.string().regex(/^\d{1,16}$/), ref: z.string().max(100) })

/**
 * What waits for an answer of the actor, the closest deadline first, with the number of items of each tab. Refuses with
 * forbidden, invalid (cursor).
 */
export async function listInbox(actor: Actor, { tab, kind, cursor, limit }: ListInbox): Promise<InboxPage> {
  requireInbox(actor)
  const after = readCursor(DueKey, cursor)
  const isAfter = after ? sql`and (due, ref) > (${instantOfKey(after)}, ${after.ref})` : sql``
  const isKind = kind ? sql`and kind = ${kind}` : sql``
  const count = (name: InboxTab) => sql`count(*) filter (where ${isInTab(actor, name)})::int`
  return inTenant(actor, async (tx) => {
    const [{ rows }, counted] = await Promise.all([
      tx.execute<ItemRow>(
        sql`${waitingItems(actor)} ${shownItems(sql`select * from item where ${isInTab(actor, tab)} ${isKind} ${isAfter}
          order by due, ref limit ${limit + 1}`)}`,
      ),
      tx.execute<InboxCounts & Record<string, unknown>>(sql`${waitingItems(actor)}
        select ${count('open')} as open, ${count('mine')} as mine, ${count('overdue')} as overdue,
          ${count('snoozed')} as snoozed from item`),
    ])
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map(toItemView),
      counts: counted.rows[0] ?? { open: 0, mine: 0, overdue: 0, snoozed: 0 },
      next: last ? writeCursor(DueKey, last) : null,
    }
  })
}

type WaitingCounts = Pick<InboxCounts, 'open' | 'overdue'>

/** From this many waiting items on, the dashboard counts them once a minute. */
const MANY_ITEMS = 200
const waitingCounts = new TimedCache<WaitingCounts>({ lifetimeMs: MINUTE_MS })

/**
 * The number of items that wait for the actor, and of those that are late, for the dashboard; many may be a minute old.
 * Refuses with forbidden.
 */
export async function countInbox(actor: Actor, now = new Date()): Promise<WaitingCounts> {
  requireInbox(actor)
  const key = `${actor.tenantId} ${actor.membershipId}`
  const known = waitingCounts.get(key, now)
  if (known) return known
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<WaitingCounts & Record<string, unknown>>(sql`${waitingItems(actor)}
      select count(*) filter (where ${isInTab(actor, 'open')})::int as open,
        count(*) filter (where ${isInTab(actor, 'overdue')})::int as overdue from item`)
    const counts = rows[0] ?? { open: 0, overdue: 0 }
    if (counts.open >= MANY_ITEMS) waitingCounts.set(key, counts, now)
    return counts
  })
}

/** An item that waits, or null when it was answered or closed, or the actor is not responsible. Refuses with forbidden. */
export async function getInboxItem(actor: Actor, { item }: InboxItemInput): Promise<InboxItemView | null> {
  requireInbox(actor)
  return inTenant(actor, async (tx) => {
    const [found] = await loadInboxItems(tx, actor, [item])
    return found ?? null
  })
}

/** Those of the items that wait and that the actor is responsible for. */
export async function loadInboxItems(tx: Tx, actor: Actor, refs: readonly string[]): Promise<InboxItemView[]> {
  const { rows } = await tx.execute<ItemRow>(
    sql`${waitingItems(actor)} ${shownItems(sql`select * from item where ref = any(${sql.param([...refs])}::text[])`)}`,
  )
  return rows.map(toItemView)
}

function isInTab(actor: Actor, tab: InboxTab): SQL {
  switch (tab) {
    case 'open':
      return sql`not is_snoozed`
    case 'mine':
      return sql`(not is_snoozed and ${isActingAs(sql`assigned_to`, actor.membershipId)})`
    case 'overdue':
      return sql`(not is_snoozed and due < now())`
    case 'snoozed':
      return sql`is_snoozed`
  }
}

interface ItemRow extends Record<string, unknown>, Omit<InboxItemView, 'href' | 'isShared' | 'isDirect' | 'student'> {
  at: string
  student: string | null
  workId: string | null
  conversationKind: string | null
  isSnoozed: boolean
  sinceAt: Date
  dueAt: Date
}

function toItemView(row: ItemRow): InboxItemView {
  return {
    ref: row.ref,
    kind: row.kind,
    student: row.student ?? '',
    studentId: row.studentId,
    studentFirstName: row.studentFirstName ?? '',
    studentPatronymic: row.studentPatronymic ?? '',
    excerpt: row.excerpt,
    course: row.course,
    lesson: row.lesson,
    groupName: row.groupName,
    task: row.task,
    startAt: row.startAt && new Date(row.startAt),
    href: hrefOf(row),
    conversationId: row.conversationId,
    courseId: row.courseId,
    taskId: row.taskId,
    isShared: row.conversationKind === 'course' || row.conversationKind === 'group',
    isDirect: row.conversationKind === 'direct',
    since: row.since,
    sinceAt: new Date(row.sinceAt),
    dueAt: new Date(row.dueAt),
    snoozedUntil: row.isSnoozed && row.snoozedUntil ? new Date(row.snoozedUntil) : null,
    assignedTo: row.assignedTo,
  }
}

function hrefOf({ kind, ref, workId, taskId, studentId }: ItemRow): string {
  if (kind === 'booking') return `/mentoring?booking=${workId}`
  if (kind === 'homework') return `/homework/${workId}`
  if (kind === 'test') return `/test/${taskId}/${studentId}?attempt=${workId}`
  return `/inbox?item=${ref}`
}
