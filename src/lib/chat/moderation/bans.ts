import { type SQL, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { endStreamsOfUser } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { factColumns, isManager, joinOwn } from '../access.ts'
import { requireChat } from '../chat.ts'
import { requireChatPlan, requireChatVerdict } from '../relation.ts'
import type { ConversationFacts } from '../rules.ts'
import { type TitleRow, titleColumns, titleJoins, titleOfConversation } from '../title.ts'
import { canBan, canReviewReports } from './rules.ts'
import type { BanMember, BanView } from './schema.ts'

/**
 * Bans a student from the conversation of a course or group: the student neither reads nor writes there any more. The same
 * again changes nothing. Refuses with forbidden, plan_inactive, not_found.
 */
export async function banMember(actor: Actor, input: BanMember): Promise<void> {
  requireChat(actor)
  requireChatPlan(actor)
  return inTenant(actor, async (tx) => {
    const target = await requireBannable(tx, actor, input)
    const { conversationId, memberId } = input
    const { rowCount } = await tx.execute(sql`
      insert into chat_ban (tenant_id, conversation_id, member_id, banned_by)
      values (current_tenant(), ${conversationId}, ${memberId}, ${actor.membershipId}) on conflict do nothing`)
    if (rowCount === 0) return
    await recordAuditEntry(tx, actor, { action: 'chat.member_banned', ...target.audit })
    await endStreamsOfUser(target.userId)
  })
}

/** Ends a ban. The same again changes nothing. Refuses as `banMember` does. */
export async function unbanMember(actor: Actor, input: BanMember): Promise<void> {
  requireChat(actor)
  requireChatPlan(actor)
  return inTenant(actor, async (tx) => {
    const target = await requireBannable(tx, actor, input)
    const { rowCount } = await tx.execute(sql`delete from chat_ban where tenant_id = current_tenant()
      and conversation_id = ${input.conversationId} and member_id = ${input.memberId}`)
    if (rowCount !== 0) await recordAuditEntry(tx, actor, { action: 'chat.member_unbanned', ...target.audit })
  })
}

/** The bans in conversations whose reports the actor reviews, the newest first. Refuses with forbidden. */
export async function listBans(actor: Actor): Promise<{ bans: BanView[] }> {
  requireChat(actor)
  // Whether a conversation is one of the actor's courses is part of the statement.
  requireChatVerdict(canReviewReports(actor, { isAssigned: true }))
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<
      Omit<BanView, 'title' | 'createdAt'> & TitleRow & { at: string } & Record<string, unknown>
    >(sql`
      select b.conversation_id as "conversationId", b.member_id as "memberId", ${personNameIn('bu')} as name,
        ${personNameIn('yu')} as "bannedBy", b.created_at as at, c.kind, ${titleColumns}
      from chat_ban b join chat_conversation c on c.tenant_id = b.tenant_id and c.id = b.conversation_id
        ${titleJoins(actor)}
        join membership bm on bm.tenant_id = b.tenant_id and bm.id = b.member_id join "user" bu on bu.id = bm.user_id
        join membership ym on ym.tenant_id = b.tenant_id and ym.id = b.banned_by join "user" yu on yu.id = ym.user_id
      where b.tenant_id = current_tenant() and ${isReviewed(actor)}
      order by b.created_at desc, b.member_id limit ${MAX_BANS}`)
    return {
      bans: rows.map(({ conversationId, memberId, name, bannedBy, at, ...row }) => ({
        conversationId,
        memberId,
        name,
        bannedBy,
        title: titleOfConversation(row).title ?? '',
        createdAt: new Date(at),
      })),
    }
  })
}

const MAX_BANS = 200

/** SQL condition: the actor reviews reports about the conversation `c`, as `canReviewReports`. */
export const isReviewed = (actor: Actor): SQL =>
  isManager(actor)
    ? sql`true`
    : sql`exists (select 1 from course_staff s where s.tenant_id = c.tenant_id and s.course_id = c.course_id
        and s.member_id = ${actor.membershipId})`

type BanTarget = { userId: string; audit: { objectId: string; objectName: string; after: { subject: string } } }

async function requireBannable(tx: Tx, actor: Actor, { conversationId, memberId }: BanMember): Promise<BanTarget> {
  const { rows } = await tx.execute<
    ConversationFacts & TitleRow & { isStudent: boolean; userId: string; email: string } & Record<string, unknown>
  >(sql`
    select c.kind, c.post_policy as "postPolicy", ${factColumns(actor)}, ${titleColumns}, m.user_id as "userId",
      m.account_type = 'ACCOUNT_TYPE_STUDENT' as "isStudent", mu.email
    from chat_conversation c ${joinOwn(actor)} ${titleJoins(actor)}
      join membership m on m.tenant_id = c.tenant_id and m.id = ${memberId} join "user" mu on mu.id = m.user_id
    where c.tenant_id = current_tenant() and c.id = ${conversationId}`)
  const [row] = rows
  if (!row) throw new Refusal('not_found')
  requireChatVerdict(canBan(actor, row, row))
  const subject = titleOfConversation(row).title ?? ''
  return { userId: row.userId, audit: { objectId: memberId, objectName: row.email, after: { subject } } }
}
