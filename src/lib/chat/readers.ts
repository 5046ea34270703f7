import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { matchesIndexedText } from '#lib/core/db/search.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { openGrants, requireConversation } from './access.ts'
import { requireChat } from './chat.ts'
import type { ReaderList } from './output-schema.ts'
import type { ListReaders } from './schema.ts'

/** SQL condition: the student of the access grant `a` is not banned from the conversation `c`. */
export const isNotBanned: SQL = sql`not exists (select 1 from chat_ban b where b.tenant_id = current_tenant()
  and b.conversation_id = c.id and b.member_id = a.student_id)`

/**
 * SQL of the ids of the members of the conversation `c`: participants, students with access and assigned staff. Managers
 * who are neither may read it too.
 */
const membersOfConversation: SQL = sql`(select p.member_id from chat_member p where p.tenant_id = c.tenant_id
    and p.conversation_id = c.id and p.is_participant and p.left_at is null
  union select a.student_id from ${openGrants} a where c.kind in ('course', 'group') and a.course_id = c.course_id
    and (c.kind = 'course' or a.group_id = c.group_id)
    and ${isNotBanned}
  union select s.member_id from course_staff s where c.kind in ('course', 'group', 'lesson')
    and s.tenant_id = c.tenant_id and s.course_id = c.course_id)`

/** The same with the managers of the school. */
const readersOfConversation: SQL = sql`(select member_id from ${membersOfConversation} members
  union select m.id from membership m where c.kind in ('course', 'group', 'lesson', 'support') and m.tenant_id = c.tenant_id
    and (m.account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' or (m.account_type = 'ACCOUNT_TYPE_TEAM_MEMBER'
      and m.roles && array['OWNER', 'DIRECTOR', 'EXPERT'])))`

const MAX_READERS = 8

/** The readers of a conversation whose name contains the text, at most eight, without the actor. */
export async function listReaders(actor: Actor, { conversationId, search }: ListReaders): Promise<ReaderList> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    const isNamed = matchesIndexedText(search, sql`u.search`, sql`u.search_ascii`) ?? sql`true`
    const isOther = sql`r.member_id <> ${actor.membershipId}`
    const conversation = sql`chat_conversation c where c.tenant_id = current_tenant() and c.id = ${conversationId}`
    const [readers, total] = await Promise.all([
      tx.execute<ReaderList['readers'][number] & Record<string, unknown>>(sql`
        select m.id as "memberId", ${personNameIn('u')} as name, m.account_type <> 'ACCOUNT_TYPE_STUDENT' as "isStaff"
        from (select r.member_id from chat_conversation c cross join lateral ${readersOfConversation} r
            where c.tenant_id = current_tenant() and c.id = ${conversationId} and ${isOther}) r
          join membership m on m.tenant_id = current_tenant() and m.id = r.member_id and m.blocked_at is null
          join "user" u on u.id = m.user_id
        where ${isNamed} order by m.account_type = 'ACCOUNT_TYPE_STUDENT', u.last_name, u.first_name, m.id
        limit ${MAX_READERS}`),
      tx.execute<{ count: number }>(sql`select (select count(*)::int from ${membersOfConversation} r where ${isOther})
        as count from ${conversation}`),
    ])
    return { readers: readers.rows, total: total.rows[0]?.count ?? 0 }
  })
}

/** Stores whom a message mentions; members who do not read the conversation are ignored. */
export async function addMentions(
  tx: Tx,
  { conversationId, seq }: { conversationId: string; seq: number },
  memberIds: readonly string[],
): Promise<void> {
  if (memberIds.length === 0) return
  await tx.execute(sql`
    insert into chat_mention (tenant_id, conversation_id, seq, member_id)
    select c.tenant_id, c.id, ${seq}, r.member_id from chat_conversation c cross join lateral ${readersOfConversation} r
    where c.tenant_id = current_tenant() and c.id = ${conversationId} and r.member_id = any(${sql.param([...memberIds])}::uuid[])
    on conflict do nothing`)
}
