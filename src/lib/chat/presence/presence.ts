import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { requirePost } from '../message/post-permission.ts'
import type { ConversationEvent } from '../output-schema.ts'
import type { ConversationId } from '../schema.ts'
import { ONLINE_MS, type PresenceReport, type PresenceSettings, type ReportPresence } from './schema.ts'
import { areShared } from './sharing.ts'
import { chatPresence } from './table.ts'

const TYPING_LIMIT = { limit: 40, windowSeconds: 60 }

/**
 * Stores that the actor is online and returns whether the other participant of an open direct conversation is. Refuses with
 * forbidden, not_found.
 */
export async function reportPresence(
  actor: Actor,
  { conversationId }: ReportPresence,
  now = new Date(),
): Promise<PresenceReport> {
  requireChat(actor)
  const me = actor.membershipId
  return inTenant(actor, async (tx) => {
    const conversation = conversationId ? await requireConversation(tx, actor, conversationId) : null
    const { rows } = await tx.execute<{ seenBefore: string | null }>(sql`
      with before as (select p.seen_at from chat_presence p where ${isPresenceOf(me)})
      insert into chat_presence as p (tenant_id, member_id, seen_at) values (current_tenant(), ${me}, ${now})
      on conflict (tenant_id, member_id) do update set seen_at = excluded.seen_at where p.shares_presence
      returning (select seen_at from before) as "seenBefore"`)
    const [shared] = rows
    if (!shared || conversation?.kind !== 'direct' || !conversation.otherId) return { other: null }
    const wasOnline = isOnline(shared.seenBefore, now)
    const other = await findPresence(tx, conversation.otherId)
    if (other && !wasOnline) await publishActivity(conversation.id, { type: 'online', memberId: me })
    return { other: other && { isOnline: isOnline(other.seenAt, now), seenAt: other.seenAt } }
  })
}

/**
 * Shows the other participant of a direct conversation that the actor types, unless one of them does not share it; in
 * other conversations nobody. Refuses as sending a message does, with too_many.
 */
export async function reportTyping(actor: Actor, { conversationId }: ConversationId): Promise<void> {
  requireChat(actor)
  const memberId = actor.membershipId
  await countAttempt(`chat.type ${memberId}`, TYPING_LIMIT)
  return inTenant(actor, async (tx) => {
    const conversation = await requireConversation(tx, actor, conversationId)
    await requirePost(tx, actor, conversation)
    const { kind, otherId } = conversation
    if (kind !== 'direct' || !otherId) return
    if (await areShared(tx, 'shares_presence', [memberId, otherId]))
      await publishActivity(conversationId, { type: 'typing', memberId })
  })
}

/** What the actor shares. */
export function getPresenceSettings(actor: Actor): Promise<PresenceSettings> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({ sharesPresence: chatPresence.sharesPresence, sharesReading: chatPresence.sharesReading })
      .from(chatPresence)
      .where(isPresenceRow(actor.membershipId))
    return row ?? { sharesPresence: true, sharesReading: true }
  })
}

/** Changes what the actor shares; when presence is not shared any more, it is not stored either. */
export function updatePresenceSettings(actor: Actor, input: PresenceSettings): Promise<PresenceSettings> {
  requireChat(actor)
  const { tenantId, membershipId: memberId } = actor
  const values = { ...input, ...(input.sharesPresence ? {} : { seenAt: null }) }
  return inTenant(actor, async (tx) => {
    await tx
      .insert(chatPresence)
      .values({ tenantId, memberId, ...values })
      .onConflictDoUpdate({ target: [chatPresence.tenantId, chatPresence.memberId], set: values })
    return input
  })
}

const isPresenceOf = (memberId: string): SQL => sql`p.tenant_id = current_tenant() and p.member_id = ${memberId}`
const isPresenceRow = (memberId: string): SQL => sql`tenant_id = current_tenant() and member_id = ${memberId}`

const isOnline = (seenAt: Date | string | null, now: Date): boolean =>
  seenAt !== null && now.getTime() - new Date(seenAt).getTime() < ONLINE_MS

/** When another member was seen; null when the member does not share it. */
async function findPresence(tx: Tx, memberId: string): Promise<{ seenAt: Date | null } | null> {
  const { rows } = await tx.execute<{ seenAt: string | null; isShared: boolean }>(
    sql`select p.seen_at as "seenAt", p.shares_presence as "isShared" from chat_presence p where ${isPresenceOf(memberId)}`,
  )
  const [row] = rows
  if (row && !row.isShared) return null
  return { seenAt: row?.seenAt ? new Date(row.seenAt) : null }
}

const publishActivity = (conversationId: string, event: ConversationEvent): Promise<void> =>
  publish(`conversation:${conversationId}`, event)
