import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import { CHAT_MANAGERS, type ConversationFacts, canReadConversation } from './rules.ts'

/** What of an actor the chat depends on; replies by email have no more. */
export type ChatActor = Pick<Actor, 'tenantId' | 'membershipId' | 'roles'>

/** SQL: grants that open their course now, by the rule of the course module. */
export const openGrants: SQL = sql`course_access(now())`

/** SQL condition: the member `m` is a student or has a role with a chat (CHAT_ROLES). */
export const hasChatRole: SQL = sql`(m.account_type <> 'ACCOUNT_TYPE_TEAM_MEMBER'
  or m.roles && array['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR'])`

/** Whether the actor sees the conversations of all courses. */
export const isManager = (actor: { roles: readonly Role[] }): boolean => hasRole(actor, CHAT_MANAGERS)

/** SQL condition: the actor may read the conversation `c`. The same rule as `canReadConversation`, for lists. */
export function isReadable(actor: ChatActor): SQL {
  const me = actor.membershipId
  const participated = sql`select p.conversation_id from chat_member p
    where p.tenant_id = current_tenant() and p.member_id = ${me} and p.is_participant and p.left_at is null`
  if (hasRole(actor, ['STUDENT']))
    return sql`c.id = any(array(${participated} union select k.id from ${openGrants} a
      join chat_conversation k on k.tenant_id = current_tenant() and k.course_id = a.course_id
        and (k.kind = 'course' or (k.kind = 'group' and a.group_id = k.group_id))
      where a.student_id = ${me}
      except select b.conversation_id from chat_ban b where b.tenant_id = current_tenant() and b.member_id = ${me}))`
  if (isManager(actor))
    return sql`(c.kind in ('course', 'group', 'lesson', 'support')
      or c.id = any(array(${participated} union ${substituted(me)})))`
  return sql`c.id = any(array(${participated} union select k.id from course_staff s
    join chat_conversation k on k.tenant_id = s.tenant_id and k.course_id = s.course_id
    where s.tenant_id = current_tenant() and ${isActingAs(sql`s.member_id`, me)}
    union ${substituted(me)}))`
}

/** The direct conversations with students of the members on vacation whom the member substitutes for. */
const substituted = (memberId: string): SQL => sql`select p.conversation_id from vacation v
  join chat_member p on p.tenant_id = v.tenant_id and p.member_id = v.member_id and p.is_participant and p.left_at is null
  join chat_conversation k on k.tenant_id = p.tenant_id and k.id = p.conversation_id and k.kind = 'direct'
  join chat_member o on o.tenant_id = p.tenant_id and o.conversation_id = p.conversation_id and o.member_id <> p.member_id
  join membership m on m.tenant_id = o.tenant_id and m.id = o.member_id and m.account_type = 'ACCOUNT_TYPE_STUDENT'
  where v.tenant_id = current_tenant() and v.deputy_id = ${memberId} and v.canceled_at is null
    and now() >= v.start_at and now() < v.end_at`

/** SQL of the facts about the conversation `c` and the actor; `own` is the actor's row of `chat_member`, or null. */
export function factColumns(actor: ChatActor): SQL {
  const me = actor.membershipId
  return sql`coalesce(own.is_participant and own.left_at is null, false) as "isParticipant",
    exists (select 1 from course_staff s where s.tenant_id = current_tenant() and s.course_id = c.course_id
      and ${isActingAs(sql`s.member_id`, me)}) as "isAssigned",
    exists (select 1 from chat_ban b where b.tenant_id = current_tenant() and b.conversation_id = c.id
      and b.member_id = ${me}) as "isBanned",
    (c.kind = 'direct' and c.id = any(array(${substituted(me)}))) as "isDeputy",
    exists (select 1 from ${openGrants} a where a.course_id = c.course_id and a.student_id = ${me}
      and (c.kind <> 'group' or a.group_id = c.group_id)) as "hasAccess"`
}

/** The actor's row of `chat_member` for the conversation `c`, named `own`. */
export const joinOwn = (actor: ChatActor): SQL => sql`left join chat_member own on own.tenant_id = c.tenant_id
  and own.conversation_id = c.id and own.member_id = ${actor.membershipId}`

/** A conversation with what decides about permissions, and the members whose lists show its messages. */
export type ConversationAccess = ConversationFacts & {
  id: string
  firstSeq: number
  lastSeq: number
  readSeq: number | null
  /** The other participant of a direct conversation. */
  otherId: string | null
  /** Participants, and the assigned staff of the course of a lesson; at most MAX_LIST_MEMBERS + 1. */
  listMembers: string[]
}

/** Members of larger conversations learn of messages by the channel of the conversation alone. */
export const MAX_LIST_MEMBERS = 20

/** Loads a conversation that the actor may read. Refuses with not_found. */
export async function requireConversation(
  tx: Tx,
  actor: ChatActor,
  conversationId: string,
): Promise<ConversationAccess> {
  const me = actor.membershipId
  const participants = sql`select p.member_id from chat_member p where p.tenant_id = current_tenant()
    and p.conversation_id = c.id and p.is_participant and p.left_at is null`
  const { rows } = await tx.execute<ConversationAccess & Record<string, unknown>>(sql`
    select c.id, c.kind, c.post_policy as "postPolicy", c.first_seq as "firstSeq", c.last_seq as "lastSeq", own.read_seq as "readSeq",
      ${factColumns(actor)},
      case when c.kind = 'direct' then (select p.member_id from chat_member p where p.tenant_id = current_tenant()
        and p.conversation_id = c.id and p.member_id <> ${me} limit 1) end as "otherId",
      array(select member_id::text from (${participants} union select s.member_id from course_staff s
        where c.kind = 'lesson' and s.tenant_id = current_tenant() and s.course_id = c.course_id) listed
        limit ${MAX_LIST_MEMBERS + 1}) as "listMembers"
    from chat_conversation c ${joinOwn(actor)}
    where c.tenant_id = current_tenant() and c.id = ${conversationId}`)
  const [row] = rows
  if (!row || !canReadConversation(actor, row).allow) throw new Refusal('not_found')
  return row
}
