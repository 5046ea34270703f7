import { listMessages } from '#lib/chat/message/messages.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listHomeworkMessages } from '#lib/homework/submission/messages.ts'
import { requireInbox } from './permission.ts'
import { targetOf } from './target.ts'
import { requireTask } from './task.ts'

export interface ItemMessage {
  author: string
  isTeam: boolean
  at: Date
  /** Empty when it was deleted. */
  body: string
  isDeleted: boolean
  /** Limited Markdown; plain text otherwise. */
  isMarkdown: boolean
}

const MAX_MESSAGES = 20

/**
 * The latest messages where an item was asked, in order; the text of a task; none for a submission or attempt. Refuses
 * with forbidden, not_found.
 */
export async function listItemMessages(actor: Actor, ref: string): Promise<ItemMessage[]> {
  requireInbox(actor)
  const target = targetOf(ref)
  if (ref.startsWith('task.')) return [await loadTaskText(actor, ref.slice('task.'.length))]
  if (!target) return []
  if (target.kind === 'thread') {
    const messages = await listHomeworkMessages(actor, target)
    return messages.slice(-MAX_MESSAGES).map(({ author, isFromStudent, at, body }) => {
      return { author, isTeam: !isFromStudent, at, body, isDeleted: false, isMarkdown: false }
    })
  }
  const { conversationId } = target
  const { messages } = await listMessages(actor, { conversationId, limit: MAX_MESSAGES })
  return messages.map(({ author, isStaff, createdAt, body, deletedAt }) => {
    return { author, isTeam: isStaff, at: createdAt, body, isDeleted: deletedAt !== null, isMarkdown: true }
  })
}

function loadTaskText(actor: Actor, taskId: string): Promise<ItemMessage> {
  return inTenant(actor, async (tx) => {
    const { source, text, createdAt } = await requireTask(tx, actor, taskId)
    return { author: source, isTeam: true, at: createdAt, body: text, isDeleted: false, isMarkdown: false }
  })
}
