import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf } from '#lib/core/db/keyset.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { factColumns, isManager, isReadable, joinOwn } from './access.ts'
import { canBan } from './moderation/rules.ts'
import type { ConversationView } from './output-schema.ts'
import { areReceiptsShared } from './presence/sharing.ts'
import { requireChatVerdict } from './relation.ts'
import {
  CHAT_ROLES,
  type ConversationFacts,
  canAddParticipants,
  canLeaveConversation,
  canMentionAll,
  canPin,
  canPost,
} from './rules.ts'
import { type ConversationId, type ListConversations, type MessageAttachment, UNREAD_LIMIT } from './schema.ts'
import { type TitleRow, titleColumns, titleJoins, titleOfConversation } from './title.ts'

/** Refuses with forbidden unless the actor's roles have a chat. */
export function requireChat(actor: Pick<Actor, 'roles'>): void {
  requireChatVerdict({ allow: hasRole(actor, CHAT_ROLES), reason: 'no_chat' })
}

/** The conversations that the actor may read, archived or not, the latest active first. Refuses with forbidden. */
export async function listConversations(
  actor: Actor,
  { cursor, limit, isArchived }: ListConversations,
): Promise<{ items: ConversationView[]; next: string | null }> {
  requireChat(actor)
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    const isBefore = after
      ? sql`and (c.active_at, c.id) < (to_timestamp(${after.at}::numeric / 1000000), ${after.id}::uuid)`
      : sql``
    const rows = await selectConversations(
      tx,
      actor,
      sql`${isReadable(actor)} and coalesce(own.archived_seq >= c.last_seq, false) = ${isArchived} and (c.last_seq > 0 or c.created_by = ${actor.membershipId}
        or c.kind in ('course', 'group', 'team')) ${isBefore}
        order by c.active_at desc, c.id desc limit ${limit + 1}`,
    )
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      items: page.map((row) => toConversationView(actor, row)),
      next: rows.length > limit && last ? writeCursor(InstantKey, last) : null,
    }
  })
}

/** A conversation. Refuses with forbidden, not_found. */
export async function getConversation(actor: Actor, { conversationId }: ConversationId): Promise<ConversationView> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await selectConversations(tx, actor, sql`c.id = ${conversationId} and ${isReadable(actor)}`)
    if (!row) throw new Refusal('not_found')
    return toConversationView(actor, row)
  })
}

interface ConversationRow extends ConversationFacts, TitleRow, Record<string, unknown> {
  id: string
  /** Microseconds since 1970, for the cursor. */
  at: string
  lastSeq: number
  readSeq: number | null
  otherReadSeq: number | null
  lessonId: string | null
  firstSeq: number
  isArchived: boolean
  unread: number
  isMentioned: boolean
  lastBody: string | null
  lastAttachment: MessageAttachment | null
  lastAuthorId: string | null
  lastAuthorName: string | null
}

/** Conversations with the actor's facts; `condition` continues the `where` clause about the conversation `c`. */
async function selectConversations(tx: Tx, actor: Actor, condition: SQL): Promise<ConversationRow[]> {
  const me = actor.membershipId
  // Managers see all courses: they only count what they have opened before or are assigned to.
  const unopened = isManager(actor)
    ? sql`case when exists (select 1 from course_staff s where s.tenant_id = c.tenant_id and s.course_id = c.course_id
        and s.member_id = ${me}) then greatest(c.last_seq - ${UNREAD_LIMIT}, 0) else c.last_seq end`
    : sql`greatest(c.last_seq - ${UNREAD_LIMIT}, 0)`
  const joinedAt = sql`(select min(a.starts_at) from enrolled_grants() a
    where a.course_id = c.course_id and a.student_id = ${me})`
  const { rows } = await tx.execute<ConversationRow>(sql`
    with page as materialized (select c.*, own.read_seq, own.archived_seq,
        coalesce(own.read_seq, ${unopened}) as unread_after_seq, ${factColumns(actor)}
      from chat_conversation c ${joinOwn(actor)} where c.tenant_id = current_tenant() and ${condition})
    select c.id, c.kind, c.post_policy as "postPolicy", c.last_seq as "lastSeq", c.read_seq as "readSeq",
      c."isParticipant", c."isAssigned", c."hasAccess",
      ${microsecondsOf(sql`c.active_at`)} as at,
      ${titleColumns}, c.lesson_id as "lessonId",
      case when c.kind = 'direct' and ${areReceiptsShared(sql`person.member_id`, sql`${me}::uuid`)}
        then person.read_seq end as "otherReadSeq",
      c.first_seq as "firstSeq", coalesce(c.archived_seq >= c.last_seq, false) as "isArchived", unread.count as unread,
      unread.is_mentioned as "isMentioned",
      last.body as "lastBody", last.attachment as "lastAttachment", last.author_id as "lastAuthorId", last.name as "lastAuthorName"
    from page c
      ${titleJoins(actor)}
      left join lateral (select left(w.body, 160) as body, w.attachment, w.author_id, ${personNameIn('u')} as name
        from chat_message w join membership m on m.tenant_id = w.tenant_id and m.id = w.author_id
          join "user" u on u.id = m.user_id
        where w.tenant_id = c.tenant_id and w.conversation_id = c.id and w.seq = c.last_seq) last on true
      cross join lateral (select count(*)::int as count,
          coalesce(bool_or(counted.is_mentioned), false) as is_mentioned
        from (select w.mentions_all or exists (select 1 from chat_mention o where o.tenant_id = w.tenant_id
            and o.member_id = ${me} and o.conversation_id = w.conversation_id and o.seq = w.seq) as is_mentioned
        from chat_message w
        where w.tenant_id = c.tenant_id and w.conversation_id = c.id and w.seq > c.unread_after_seq
          and w.author_id <> ${me} and w.deleted_at is null
          and (c.read_seq is not null or w.created_at >= coalesce(${joinedAt}, c.created_at))
        limit ${UNREAD_LIMIT}) counted) unread
    order by c.active_at desc, c.id desc`)
  return rows
}

function toConversationView(actor: Actor, row: ConversationRow): ConversationView {
  const { id, kind, lastSeq, unread, isMentioned, lessonId, lastBody, lastAttachment, lastAuthorId, lastAuthorName } =
    row
  return {
    id,
    kind,
    ...titleOfConversation(row),
    lessonId,
    activeAt: new Date(Number(row.at) / 1000),
    lastSeq,
    readSeq: row.readSeq ?? lastSeq - unread,
    otherReadSeq: row.otherReadSeq,
    unread,
    isMentioned,
    canPost: canPost(actor, row).allow,
    canPin: canPin(actor, row).allow,
    canMentionAll: canMentionAll(actor, row).allow,
    canLeave: canLeaveConversation(actor, row).allow,
    canAddParticipants: canAddParticipants(actor, row).allow,
    canBan: canBan(actor, row, { isStudent: true }).allow,
    isArchived: row.isArchived,
    firstSeq: row.firstSeq,
    last:
      lastBody === null
        ? null
        : {
            body: lastBody,
            attachment: lastAttachment ?? 'none',
            isMine: lastAuthorId === actor.membershipId,
            author: lastAuthorName ?? '',
          },
  }
}
