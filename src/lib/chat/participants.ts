import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { publishToEach } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { notify } from '#lib/notification/notify.ts'
import { hasChatRole, requireConversation } from './access.ts'
import { requireChat } from './chat.ts'
import type { ChatListEvent, ParticipantList } from './output-schema.ts'
import { requireChatPlan, requireChatVerdict } from './relation.ts'
import { canAddParticipants } from './rules.ts'
import { type AddParticipants, type ConversationId, TEAM_SIZE_LIMIT } from './schema.ts'
import { chatConversation } from './table.ts'

/**
 * The participants of a team conversation, and the team members who can be added, both by name. Refuses with forbidden,
 * not_found.
 */
export async function listConversationParticipants(
  actor: Actor,
  { conversationId }: ConversationId,
): Promise<ParticipantList> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    requireChatVerdict(canAddParticipants(actor, await requireConversation(tx, actor, conversationId)))
    const { rows } = await tx.execute<{
      title: string
      memberId: string
      name: string
      position: string
      isParticipant: boolean
    }>(sql`
      select c.title, m.id as "memberId", ${personNameIn('u')} as name, m.position,
        coalesce(p.is_participant and p.left_at is null, false) as "isParticipant"
      from chat_conversation c join membership m on m.tenant_id = c.tenant_id and m.blocked_at is null
        join "user" u on u.id = m.user_id
        left join chat_member p on p.tenant_id = c.tenant_id and p.conversation_id = c.id and p.member_id = m.id
      where c.tenant_id = current_tenant() and c.id = ${conversationId} and ${isTeamWithChat}
      order by u.last_name, u.first_name, m.id`)
    const listed = (isParticipant: boolean) =>
      rows
        .filter((row) => row.isParticipant === isParticipant)
        .map(({ memberId, name, position }) => ({ memberId, name, position }))
    return { title: rows[0]?.title ?? '', participants: listed(true), candidates: listed(false) }
  })
}

/** SQL condition: the member `m` is on the team and has a role with a chat. */
const isTeamWithChat = sql`m.account_type <> 'ACCOUNT_TYPE_STUDENT' and ${hasChatRole}`

/**
 * Adds team members to a team conversation, also those who left it; they read all its messages and are notified. The same
 * again changes nothing. Refuses with forbidden, plan_inactive, not_found, and unprocessable for members who are not on the
 * team and when too many would take part.
 */
export async function addConversationParticipants(
  actor: Actor,
  { conversationId, memberIds }: AddParticipants,
): Promise<void> {
  requireChat(actor)
  requireChatPlan(actor)
  return inTenant(actor, async (tx) => {
    await lockConversation(tx, conversationId)
    requireChatVerdict(canAddParticipants(actor, await requireConversation(tx, actor, conversationId)))
    await requireTeamMembers(tx, memberIds)
    // Messages before are readable, but not unread.
    const { rows } = await tx.execute<{ memberId: string; title: string }>(sql`
      with added as (
        insert into chat_member as p (tenant_id, conversation_id, member_id, is_participant, read_seq)
        select c.tenant_id, c.id, m.id, true, c.last_seq from chat_conversation c
          join membership m on m.tenant_id = c.tenant_id and m.id = any(${sql.param(memberIds)}::uuid[])
        where c.tenant_id = current_tenant() and c.id = ${conversationId}
        on conflict (tenant_id, conversation_id, member_id) do update
          set is_participant = true, left_at = null, joined_at = now(), archived_seq = null, read_seq = excluded.read_seq
          where not p.is_participant or p.left_at is not null
        returning member_id)
      select a.member_id as "memberId", c.title from added a join chat_conversation c
        on c.tenant_id = current_tenant() and c.id = ${conversationId}`)
    if (rows.length === 0) return
    if ((await countParticipants(tx, conversationId)) > TEAM_SIZE_LIMIT) throw formRefusal('many_participants')
    const added = rows.map(({ memberId }) => memberId)
    const event: ChatListEvent = { conversationId }
    await publishToEach(
      added.map((memberId) => `chat:${memberId}`),
      event,
    )
    await notify(tx, {
      kind: 'chat_added',
      memberIds: added,
      // A member who leaves can be added once more.
      key: `chat_added/${newId()}`,
      data: { subject: rows[0]?.title ?? '' },
      link: `/chat?conversation=${conversationId}`,
      subjects: [{ type: 'conversation', id: conversationId }],
    })
  })
}

/** Refuses with unprocessable for someone who is not on the team or has no chat. */
export async function requireTeamMembers(tx: Tx, memberIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(memberIds)]
  const { rows } = await tx.execute<{ count: number }>(sql`select count(*)::int as count from membership m
    where m.tenant_id = current_tenant() and m.id = any(${sql.param(wanted)}::uuid[]) and m.blocked_at is null
      and ${isTeamWithChat}`)
  if (wanted.length === 0) throw new Refusal('unprocessable', { fields: { memberIds: ['required'] } })
  if (rows[0]?.count !== wanted.length) throw new Refusal('unprocessable', { fields: { memberIds: ['staff_unknown'] } })
}

/** The number of participants of a team conversation who can sign in. */
export async function countParticipants(tx: Tx, conversationId: string): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`select count(*)::int as count from chat_member p
    join membership m on m.tenant_id = p.tenant_id and m.id = p.member_id and m.blocked_at is null
    where p.tenant_id = current_tenant() and p.conversation_id = ${conversationId} and p.is_participant
      and p.left_at is null`)
  return rows[0]?.count ?? 0
}

/** Changes of the participants of a conversation are made one after another. */
export async function lockConversation(tx: Tx, conversationId: string): Promise<void> {
  await tx.execute(sql`select ${chatConversation.id} from ${chatConversation}
    where ${chatConversation.tenantId} = current_tenant() and ${chatConversation.id} = ${conversationId} for update`)
}
