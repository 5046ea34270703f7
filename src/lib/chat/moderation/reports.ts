import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { microsecondsOf } from '#lib/core/db/keyset.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { notifyManagers } from '#lib/notification/notify-school-team.ts'
import { factColumns, joinOwn, requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { removeMessage } from '../message/change.ts'
import { selectMessage } from '../message/messages.ts'
import { requireChatPlan, requireChatVerdict } from '../relation.ts'
import type { ConversationFacts } from '../rules.ts'
import { type TitleRow, titleColumns, titleJoins, titleOfConversation } from '../title.ts'
import { banMember, isReviewed } from './bans.ts'
import { canBan, canReportMessage, canReviewReports } from './rules.ts'
import type { ListReports, ReportMessage, ReportPage, ReportView, ResolveReport } from './schema.ts'
import { chatReport } from './table.ts'

const REPORT_LIMIT = { limit: 20, windowSeconds: HOUR_SECONDS }

/**
 * Reports a message of another member to the staff, with its text; the same again changes nothing. Refuses with forbidden,
 * too_many, not_found.
 */
export async function reportMessage(actor: Actor, input: ReportMessage): Promise<void> {
  requireChat(actor)
  const { conversationId, seq, reason, note } = input
  const { tenantId, membershipId: reporterId } = actor
  await countAttempt(`chat.report ${reporterId}`, REPORT_LIMIT)
  return inTenant(actor, async (tx) => {
    await requireConversation(tx, actor, conversationId)
    const message = await selectMessage(tx, actor, { conversationId, seq })
    if (!message) throw new Refusal('not_found')
    requireChatVerdict(canReportMessage(actor, { authorId: message.authorId, isDeleted: message.deletedAt !== null }))
    const { authorId, body, author } = message
    const id = newId()
    const { rowCount } = await tx
      .insert(chatReport)
      .values({ tenantId, id, conversationId, seq, authorId, reporterId, body, reason, note })
      .onConflictDoNothing()
    if (rowCount === 0) return
    await notifyManagers(tx, {
      kind: 'chat_reported',
      key: `chat_report/${id}`,
      data: { subject: author },
      link: '/chat?view=reports',
      groupKey: 'chat_report',
    })
  })
}

/** The reports that wait for a decision of the actor, the oldest first. Refuses with forbidden. */
export async function listReports(actor: Actor, { cursor, limit }: ListReports): Promise<ReportPage> {
  requireChat(actor)
  // Whether a conversation is one of the actor's courses is part of the statement.
  requireChatVerdict(canReviewReports(actor, { isAssigned: true }))
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    const isAfter = after
      ? sql`and (r.created_at, r.id) > (to_timestamp(${after.at}::numeric / 1000000), ${after.id}::uuid)`
      : sql``
    const { rows } = await tx.execute<ReportRow>(sql`
      select r.id, r.conversation_id as "conversationId", r.seq, r.author_id as "authorId", r.body, r.reason, r.note,
        ${microsecondsOf(sql`r.created_at`)} as at, ${personNameIn('au')} as author,
        ${personNameIn('ru')} as reporter, am.account_type = 'ACCOUNT_TYPE_STUDENT' as "isStudent",
        c.kind, c.post_policy as "postPolicy", ${factColumns(actor)}, ${titleColumns},
        coalesce((select w.deleted_at is null from chat_message w where w.tenant_id = r.tenant_id
          and w.conversation_id = r.conversation_id and w.seq = r.seq), false) as "canDelete"
      from chat_report r join chat_conversation c on c.tenant_id = r.tenant_id and c.id = r.conversation_id
        ${joinOwn(actor)} ${titleJoins(actor)}
        join membership am on am.tenant_id = r.tenant_id and am.id = r.author_id join "user" au on au.id = am.user_id
        join membership rm on rm.tenant_id = r.tenant_id and rm.id = r.reporter_id join "user" ru on ru.id = rm.user_id
      where r.tenant_id = current_tenant() and r.resolved_at is null and ${isReviewed(actor)} ${isAfter}
      order by r.created_at, r.id limit ${limit + 1}`)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      items: page.map((row) => reportViewOf(actor, row)),
      next: rows.length > limit && last ? writeCursor(InstantKey, last) : null,
    }
  })
}

interface ReportRow
  extends Omit<ReportView, 'title' | 'createdAt' | 'canBan'>,
    ConversationFacts,
    Omit<TitleRow, 'kind'>,
    Record<string, unknown> {
  at: string
  isStudent: boolean
}

function reportViewOf(actor: Actor, row: ReportRow): ReportView {
  const { id, conversationId, kind, seq, authorId, author, reporter, body, reason, note, at, canDelete } = row
  return {
    id,
    conversationId,
    kind,
    title: titleOfConversation(row).title ?? reporter,
    seq,
    authorId,
    author,
    reporter,
    body,
    reason,
    note,
    createdAt: new Date(Number(at) / 1000),
    canDelete,
    canBan: canBan(actor, row, row).allow,
  }
}

/** The number of reports that wait for a decision of the actor; none for students. */
export async function countReports(actor: Actor): Promise<number> {
  if (!canReviewReports(actor, { isAssigned: true }).allow) return 0
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<{ count: number }>(sql`select count(*)::int as count from chat_report r
      join chat_conversation c on c.tenant_id = r.tenant_id and c.id = r.conversation_id
      where r.tenant_id = current_tenant() and r.resolved_at is null and ${isReviewed(actor)}`)
    return rows[0]?.count ?? 0
  })
}

/**
 * Decides about a report and all others about the same message: nothing, the message is deleted, or its author is banned as
 * well. The same again changes nothing. Refuses with forbidden, plan_inactive, not_found, and with conflict when another
 * decision was made.
 */
export async function resolveReport(actor: Actor, { reportId, outcome }: ResolveReport): Promise<void> {
  requireChat(actor)
  requireChatPlan(actor)
  return inTenant(actor, async (tx) => {
    const report = await lockReport(tx, actor, reportId)
    const { conversationId, seq, authorId } = report
    if (report.outcome === outcome) return
    if (report.outcome) throw new Refusal('conflict')
    if (outcome === 'banned') await banMember(actor, { conversationId, memberId: authorId })
    await tx.execute(sql`update chat_report set resolved_at = now(), resolved_by = ${actor.membershipId},
        outcome = ${outcome} where tenant_id = current_tenant() and conversation_id = ${conversationId}
        and seq = ${seq} and resolved_at is null`)
    if (outcome !== 'dismissed') await removeMessage(tx, actor, { conversationId, seq })
  })
}

interface LockedReport extends ConversationFacts, Record<string, unknown> {
  conversationId: string
  seq: number
  authorId: string
  outcome: ResolveReport['outcome'] | null
}

async function lockReport(tx: Tx, actor: Actor, reportId: string): Promise<LockedReport> {
  const { rows } = await tx.execute<LockedReport>(sql`
    select r.conversation_id as "conversationId", r.seq, r.author_id as "authorId", r.outcome, c.kind,
      c.post_policy as "postPolicy", ${factColumns(actor)}
    from chat_report r join chat_conversation c on c.tenant_id = r.tenant_id and c.id = r.conversation_id
      ${joinOwn(actor)}
    where r.tenant_id = current_tenant() and r.id = ${reportId} for update of r`)
  const [report] = rows
  if (!report || !canReviewReports(actor, report).allow) throw new Refusal('not_found')
  return report
}
