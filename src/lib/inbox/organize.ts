import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { getConversation } from '#lib/chat/chat.ts'
import { closeWaiting, reopenWaiting } from '#lib/chat/message/waiting.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { effectiveRoles } from '#lib/core/shared/role.ts'
import { instantOf, localDay } from '#lib/core/shared/time-zone.ts'
import { assignSubmissions } from '#lib/homework/review/assign.ts'
import { canReview } from '#lib/homework/review/rules.ts'
import { listHomeworkMessages } from '#lib/homework/submission/messages.ts'
import { lockWaitingThread, markAnswered, reopenThread } from '#lib/homework/submission/waiting.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import { membership } from '#lib/user/table.ts'
import { loadInboxItems } from './inbox.ts'
import type { ChangedItems, ClosedItems, InboxItemView } from './output-schema.ts'
import { requireInboxChange } from './permission.ts'
import {
  type AssignItems,
  type CloseItems,
  INBOX_KINDS,
  type InboxKind,
  type ReopenItems,
  type SnoozeItems,
} from './schema.ts'
import { inboxItem } from './table.ts'
import { parseThreadKey } from './target.ts'
import { finishTask, reopenTask } from './task.ts'

/**
 * Assigns items to a team member, or to nobody with null. Direct conversations, bookings, and items of courses that the
 * member is not responsible for, are skipped. Refuses with forbidden, plan_inactive, and not_found for a member without an inbox.
 */
export function assignItems(actor: Actor, { items: refs, memberId }: AssignItems): Promise<ChangedItems> {
  requireInboxChange(actor)
  return inTenant(actor, async (tx) => {
    const [items, isResponsible] = await Promise.all([
      loadInboxItems(tx, actor, refs),
      loadResponsibility(tx, memberId),
    ])
    const reviewed = items.filter(({ kind }) => kind === 'homework' || kind === 'test')
    const questions = items.filter(
      (item) => !reviewed.includes(item) && item.kind !== 'booking' && !item.isDirect && isResponsible(item),
    )
    if (questions.length > 0)
      await tx
        .insert(inboxItem)
        .values(
          questions.map(({ ref }) => ({ tenantId: actor.tenantId, ...parseInboxItemId(ref), assignedTo: memberId })),
        )
        .onConflictDoUpdate({
          target: [inboxItem.tenantId, inboxItem.kind, inboxItem.key],
          set: { assignedTo: memberId },
        })
    const submissionIds = reviewed.map(({ ref }) => parseInboxItemId(ref).key)
    const assigned =
      submissionIds.length > 0 ? (await assignSubmissions(actor, { submissionIds, memberId })).assigned.length : 0
    return countChanged(refs, questions.length + assigned)
  })
}

/** Which items a member may be given. Refuses with not_found for a member without an inbox. */
async function loadResponsibility(tx: Tx, memberId: string | null): Promise<(item: InboxItemView) => boolean> {
  if (memberId === null) return () => true
  const isMember = and(eq(membership.tenantId, sql`current_tenant()`), eq(membership.id, memberId))
  const [[member], { rows }] = await Promise.all([
    tx
      .select({ roles: membership.roles, accountType: membership.accountType, blockedAt: membership.blockedAt })
      .from(membership)
      .where(isMember),
    tx.execute<{ id: string }>(sql`select s.course_id as id from course_staff s where s.tenant_id = current_tenant()
      and ${isActingAs(sql`s.member_id`, memberId)}`),
  ])
  if (!member || member.blockedAt) throw new Refusal('not_found')
  const person = { roles: effectiveRoles(member.accountType, member.roles) }
  if (!canReview(person, true).allow) throw new Refusal('not_found')
  if (canReview(person, false).allow) return () => true
  const courses = new Set(rows.map(({ id }) => id))
  return ({ courseId }) => courseId !== null && courses.has(courseId)
}

/**
 * Hides items until nine o'clock of a later day in the actor's time zone, or shows them again; a new message of the
 * student shows them earlier. Refuses with forbidden, plan_inactive.
 */
export function snoozeItems(
  actor: Actor,
  { items: refs, until }: SnoozeItems,
  now = new Date(),
): Promise<ChangedItems> {
  requireInboxChange(actor)
  const snoozed =
    until === 'end'
      ? { snoozedAt: null, snoozedUntil: null }
      : { snoozedAt: now, snoozedUntil: snoozeEnd(actor, until, now) }
  return inTenant(actor, async (tx) => {
    const items = await loadInboxItems(tx, actor, refs)
    if (items.length > 0)
      await tx
        .insert(inboxItem)
        .values(items.map(({ ref }) => ({ tenantId: actor.tenantId, ...parseInboxItemId(ref), ...snoozed })))
        .onConflictDoUpdate({ target: [inboxItem.tenantId, inboxItem.kind, inboxItem.key], set: snoozed })
    return countChanged(refs, items.length)
  })
}

const SNOOZE_DAYS = { tomorrow: 1, threeDays: 3, week: 7 } as const

const snoozeEnd = ({ timeZone }: Actor, until: keyof typeof SNOOZE_DAYS, now: Date): Date =>
  instantOf(localDay(now, timeZone, SNOOZE_DAYS[until]), '09:00', timeZone)

/**
 * Closes questions without an answer, until the student writes again, and finishes tasks; submissions, attempts and
 * bookings are skipped, because they have to be reviewed or confirmed. `closed` reverts it. Refuses with forbidden, plan_inactive.
 */
export function closeItems(actor: Actor, { items: refs }: CloseItems): Promise<ClosedItems> {
  requireInboxChange(actor)
  return inTenant(actor, async (tx) => {
    const closed: ClosedItems['closed'] = []
    for (const item of await loadInboxItems(tx, actor, refs)) {
      const at = await closeItem(tx, item)
      if (at !== null) closed.push({ ...parseInboxItemId(item.ref), at })
    }
    return { ...countChanged(refs, closed.length), closed }
  })
}

/** Returns the instant of the change in milliseconds, or null when nothing was closed. */
async function closeItem(tx: Tx, { ref, kind, since }: InboxItemView): Promise<number | null> {
  const { key } = parseInboxItemId(ref)
  if (kind === 'thread') {
    const thread = parseThreadKey(key)
    return (await lockWaitingThread(tx, { ...thread, since })) ? (await markAnswered(tx, thread)).getTime() : null
  }
  if (kind === 'task') return finishTask(tx, key)
  if (kind !== 'chat' && kind !== 'lesson') return null
  return (await closeWaiting(tx, { conversationId: key, since })) ? 0 : null
}

/** Reverts `closeItems`; what was answered in the meantime stays answered. Refuses with forbidden, not_found. */
export function reopenItems(actor: Actor, { closed }: ReopenItems): Promise<void> {
  requireInboxChange(actor)
  return inTenant(actor, async (tx) => {
    for (const { kind, key, at } of closed) {
      if (kind === 'task') await reopenTask(tx, actor, key, new Date(at))
      else if (kind === 'thread') await reopenOwnThread(tx, actor, key, new Date(at))
      else await reopenConversation(tx, actor, key)
    }
  })
}

async function reopenOwnThread(tx: Tx, actor: Actor, key: string, at: Date): Promise<void> {
  const thread = parseThreadKey(key)
  // Refuses with not_found unless the actor is responsible for the course.
  await listHomeworkMessages(actor, thread)
  await reopenThread(tx, thread, at)
}

async function reopenConversation(tx: Tx, actor: Actor, conversationId: string): Promise<void> {
  await getConversation(actor, { conversationId })
  await reopenWaiting(tx, conversationId)
}

const parseInboxItemId = (ref: string): { kind: InboxKind; key: string } => {
  const [kind, key = ''] = ref.split('.')
  return { kind: parseStored(z.enum(INBOX_KINDS), kind), key }
}

const countChanged = (refs: readonly string[], changed: number): ChangedItems => ({
  changed,
  skipped: Math.max(0, new Set(refs).size - changed),
})
