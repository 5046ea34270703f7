import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { openGrants } from '../access.ts'
import { isNotBanned } from '../readers.ts'
import type { ConversationKind } from '../schema.ts'
import { UNREAD_LIMIT } from '../schema.ts'

/** A conversation as its notifications name it. */
export interface NotifiedConversation {
  kind: ConversationKind
  courseId: string | null
  groupId: string | null
  lastSeq: number
  /** The title of a team conversation, course or group. */
  title: string
  courseTitle: string | null
  lessonTitle: string | null
  /** The student of a question or support request. */
  studentName: string | null
}

/** A member with unread messages of others. */
export interface UnreadMember {
  memberId: string
  isStudent: boolean
  /** At most UNREAD_LIMIT. */
  unread: number
  /** The author of the latest of them. */
  lastAuthor: string
  /** One of them mentions the member, who has not turned notifications of mentions off. */
  isMentioned: boolean
}

/** The names of a conversation, or null when there is none. */
export async function findNotifiedConversation(tx: Tx, conversationId: string): Promise<NotifiedConversation | null> {
  const { rows } = await tx.execute<NotifiedConversation & Record<string, unknown>>(sql`
    select c.kind, c.course_id as "courseId", c.group_id as "groupId", c.last_seq as "lastSeq",
      coalesce(g.name, nullif(c.title, ''), course.title, '') as title, course.title as "courseTitle",
      l.title as "lessonTitle",
      (select ${personNameIn('u')} from chat_member p join membership m on m.tenant_id = p.tenant_id and m.id = p.member_id
        join "user" u on u.id = m.user_id where c.kind in ('lesson', 'support') and p.tenant_id = c.tenant_id
        and p.conversation_id = c.id and p.is_participant limit 1) as "studentName"
    from chat_conversation c
      left join course on course.tenant_id = c.tenant_id and course.id = c.course_id
      left join study_group g on g.tenant_id = c.tenant_id and g.id = c.group_id
      left join lesson l on l.tenant_id = c.tenant_id and l.id = c.lesson_id
    where c.tenant_id = current_tenant() and c.id = ${conversationId}`)
  return rows[0] ?? null
}

const isTeamManager = sql`m.blocked_at is null and (m.account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER'
  or m.roles && array['OWNER', 'DIRECTOR', 'EXPERT'])`

/**
 * SQL of the members who learn of messages in the conversation `c`: participants, students with access, the assigned
 * staff, the managers of the school where nobody is assigned, and the deputies of members on vacation.
 */
const audience: SQL = sql`
  with audience as (
    select p.member_id from c join chat_member p on p.tenant_id = c.tenant_id and p.conversation_id = c.id
      and p.is_participant and p.left_at is null
    union select a.student_id from c join ${openGrants} a on a.course_id = c.course_id
      and (c.kind = 'course' or a.group_id = c.group_id) where c.kind in ('course', 'group')
        and ${isNotBanned}
    union select s.member_id from c join course_staff s on s.tenant_id = c.tenant_id and s.course_id = c.course_id
    union select m.id from c join membership m on m.tenant_id = c.tenant_id and ${isTeamManager}
      where c.kind = 'support' or (c.kind = 'lesson' and not exists (select 1 from course_staff s
        where s.tenant_id = c.tenant_id and s.course_id = c.course_id)))
  select member_id from audience
  union select v.deputy_id from audience a join vacation v on v.tenant_id = current_tenant() and v.member_id = a.member_id
    and v.canceled_at is null and now() >= v.start_at and now() < v.end_at join c on c.kind <> 'team'`

/** SQL condition: the member `o` has turned notifications of mentions off in the list and in all channels that it has set. */
const areMentionsOff: SQL = sql`coalesce((select bool_and(p.frequency = 'off') and bool_or(p.channel = 'inApp')
  from notification_preference p where p.tenant_id = current_tenant() and p.member_id = o.member_id
    and p.topic = 'mention'), false)`

/** Members who have not read a message of another one from `fromSeq` on, with the number of all their unread messages. */
export async function listUnreadMembers(
  tx: Tx,
  { conversationId, fromSeq }: { conversationId: string; fromSeq: number },
): Promise<UnreadMember[]> {
  const isUnread = sql`w.tenant_id = current_tenant() and w.conversation_id = ${conversationId}
    and w.author_id <> o.member_id and w.deleted_at is null
    and (o.read_seq is not null or o.joined_at is null or w.created_at >= o.joined_at)`
  const { rows } = await tx.execute<UnreadMember & Record<string, unknown>>(sql`
    with c as materialized (select * from chat_conversation
      where tenant_id = current_tenant() and id = ${conversationId}),
    o as materialized (select q.member_id, own.read_seq, coalesce(own.read_seq, 0) as seen_seq,
        coalesce(own.read_seq, c.last_seq - ${UNREAD_LIMIT}) as unread_after_seq, (select min(a.starts_at)
        from enrolled_grants() a where a.course_id = c.course_id and a.student_id = q.member_id) as joined_at
      from (${audience}) q cross join c left join chat_member own on own.tenant_id = current_tenant()
        and own.conversation_id = c.id and own.member_id = q.member_id),
    mention as materialized (select n.member_id, max(n.seq) as seq from chat_mention n where n.tenant_id = current_tenant()
      and n.conversation_id = ${conversationId} and n.seq >= ${fromSeq} group by n.member_id),
    everyone as materialized (select w.seq, w.author_id from chat_message w where w.tenant_id = current_tenant()
      and w.conversation_id = ${conversationId} and w.seq >= ${fromSeq} and w.mentions_all order by w.seq desc limit 1)
    select o.member_id as "memberId",
      (greatest((select n.seq from mention n where n.member_id = o.member_id),
        (select e.seq from everyone e where e.author_id <> o.member_id)) > o.seen_seq) is true
        and not ${areMentionsOff} as "isMentioned", m.account_type = 'ACCOUNT_TYPE_STUDENT' as "isStudent", all_unread.count as unread,
      ${personNameIn('u')} as "lastAuthor"
    from o
      join membership m on m.tenant_id = current_tenant() and m.id = o.member_id and m.blocked_at is null
      cross join lateral (select w.author_id from chat_message w where ${isUnread}
        and w.seq >= ${fromSeq} and w.seq > o.seen_seq order by w.seq desc limit 1) last
      join membership am on am.tenant_id = current_tenant() and am.id = last.author_id join "user" u on u.id = am.user_id
      cross join lateral (select count(*)::int as count from (select 1 from chat_message w where ${isUnread}
        and w.seq > o.unread_after_seq limit ${UNREAD_LIMIT}) counted) all_unread
    order by o.member_id`)
  return rows
}

/** Team members who learn of messages in a conversation. */
export async function listConversationStaff(tx: Tx, conversationId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ memberId: string }>(sql`
    with c as materialized (select * from chat_conversation
      where tenant_id = current_tenant() and id = ${conversationId})
    select q.member_id as "memberId" from (${audience}) q join membership m on m.tenant_id = current_tenant()
      and m.id = q.member_id and m.blocked_at is null and m.account_type <> 'ACCOUNT_TYPE_STUDENT' order by q.member_id`)
  return rows.map(({ memberId }) => memberId)
}
