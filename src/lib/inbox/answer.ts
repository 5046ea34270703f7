import { sql } from 'drizzle-orm'
import { getConversation } from '#lib/chat/chat.ts'
import { markConversationRead } from '#lib/chat/message/read.ts'
import { postMessage } from '#lib/chat/message/send.ts'
import { lockWaiting } from '#lib/chat/message/waiting.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { derivedId } from '#lib/core/db/id.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { fillVariables } from '#lib/core/shared/text/variables.ts'
import { listHomeworkMessages, readHomeworkMessages, sendHomeworkMessage } from '#lib/homework/submission/messages.ts'
import { lockWaitingThread } from '#lib/homework/submission/waiting.ts'
import { loadInboxItems } from './inbox.ts'
import type { BulkAnswer, InboxItemView } from './output-schema.ts'
import { requireInboxChange } from './permission.ts'
import type { AnswerItem, AnswerItems } from './schema.ts'
import { type Target, targetOf } from './target.ts'

/** Answers of one member; one answer to many questions counts once. */
const ANSWER_LIMIT = { limit: 60, windowSeconds: 60 }

/**
 * Answers a question where it was asked. Of two members who answer at the same time one is refused, with conflict
 * (inbox_answered) and the name of the other one. The same `messageId` again is the same answer. Refuses with forbidden,
 * plan_inactive, too_many, not_found for an item of others, invalid for a submission or attempt.
 */
export async function answerItem(actor: Actor, input: AnswerItem): Promise<{ messageId: string }> {
  requireInboxChange(actor)
  await countAttempt(`inbox.answer ${actor.membershipId}`, ANSWER_LIMIT)
  const { item: ref, since, messageId, body } = input
  const target = targetOf(ref)
  if (!target) throw new Refusal('invalid', { fields: { item: ['format'] } })
  return inTenant(actor, async (tx) => {
    const isFirst = await lockTarget(tx, target, since)
    if (!isFirst && !(await isSentBy(tx, actor, messageId))) throw await answeredRefusal(tx, actor, target)
    await sendAnswer(actor, target, { messageId, body })
    return { messageId }
  })
}

/**
 * Sends one answer to several questions, with `{name}`, `{course}`, `{lesson}` and `{task}` replaced for each. Items that
 * another member has answered or closed, and those that need a review, are skipped; the same batch again sends nothing twice.
 * Refuses with forbidden, plan_inactive, too_many.
 */
export async function answerItems(actor: Actor, { items: refs, batchId, body }: AnswerItems): Promise<BulkAnswer> {
  requireInboxChange(actor)
  await countAttempt(`inbox.answer ${actor.membershipId}`, ANSWER_LIMIT)
  const items = await inTenant(actor, (tx) => loadInboxItems(tx, actor, refs))
  let sent = 0
  for (const item of items) {
    // A repeated batch sends the same messages.
    const messageId = derivedId(`${batchId}\n${item.ref}`)
    if (await answerItemOfBatch(actor, item, { messageId, body: fillVariables(body, variablesOf(item)) })) sent += 1
  }
  return { sent, skipped: new Set(refs).size - sent }
}

/** In a separate transaction, so that what was sent stays sent when a later one is refused. */
function answerItemOfBatch(
  actor: Actor,
  item: InboxItemView,
  answer: { messageId: string; body: string },
): Promise<boolean> {
  const target = targetOf(item.ref)
  if (!target) return Promise.resolve(false)
  return inTenant(actor, async (tx) => {
    if (!(await lockTarget(tx, target, item.since))) return false
    await sendAnswer(actor, target, answer)
    return true
  })
}

/** The values of the variables of a prepared answer. */
export function variablesOf({
  studentFirstName,
  studentPatronymic,
  student,
  course,
  lesson,
  task,
  groupName,
}: InboxItemView) {
  return {
    name: studentFirstName || student,
    patronymic: studentPatronymic,
    course: course ?? '',
    lesson: lesson ?? '',
    task: task ?? '',
    group: groupName ?? '',
  }
}

const lockTarget = (tx: Tx, target: Target, since: string): Promise<boolean> =>
  target.kind === 'thread' ? lockWaitingThread(tx, { ...target, since }) : lockWaiting(tx, { ...target, since })

async function sendAnswer(actor: Actor, target: Target, answer: { messageId: string; body: string }): Promise<void> {
  const { messageId, body } = answer
  if (target.kind === 'conversation') {
    const { conversationId } = target
    const { seq } = await postMessage(actor, { conversationId, messageId, body })
    await markConversationRead(actor, { conversationId, seq })
    return
  }
  const { taskId, studentId } = target
  await sendHomeworkMessage(actor, { taskId, studentId, body, key: messageId })
  await readHomeworkMessages(actor, { taskId, studentId })
}

async function isSentBy(tx: Tx, actor: Actor, messageId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from chat_message where tenant_id = current_tenant() and id = ${messageId}
      and author_id = ${actor.membershipId}
    union all select 1 from homework_message where tenant_id = current_tenant() and id = ${messageId}
      and author_id = ${actor.membershipId}`)
  return rows.length > 0
}

/** Names who has answered; a member who may not see the item learns nothing about it. */
async function answeredRefusal(tx: Tx, actor: Actor, target: Target): Promise<Refusal> {
  const texts =
    target.kind === 'thread'
      ? sql`select w.author_id, w.at from homework_message w where w.tenant_id = current_tenant()
          and w.task_id = ${target.taskId} and w.student_id = ${target.studentId}`
      : sql`select w.author_id, w.created_at as at from chat_message w where w.tenant_id = current_tenant()
          and w.conversation_id = ${target.conversationId}`
  // Refuses with not_found unless the actor may read it.
  if (target.kind === 'thread') await listHomeworkMessages(actor, target)
  else await getConversation(actor, target)
  const { rows } = await tx.execute<{ name: string }>(sql`
    select ${personNameIn('u')} as name from (${texts}) text
      join membership m on m.tenant_id = current_tenant() and m.id = text.author_id
        and m.account_type <> 'ACCOUNT_TYPE_STUDENT'
      join "user" u on u.id = m.user_id
    order by text.at desc limit 1`)
  const name = rows[0]?.name
  return new Refusal('conflict', {
    message: name ? 'inbox_answered' : 'inbox_closed',
    variables: { name: name ?? '' },
  })
}
