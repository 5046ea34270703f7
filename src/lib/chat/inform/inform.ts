import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { notify } from '#lib/notification/notify.ts'
import type { MuteSubject } from '#lib/notification/settings/schema.ts'
import {
  findInformedConversation,
  type InformedConversation,
  listUnreadMembers,
  type UnreadMember,
} from './audience.ts'
import { type InformJob, lockReading, notificationGroup } from './plan.ts'

/**
 * Notifies the readers of a conversation who have not read its messages in the product, by push and by Telegram; they
 * are not notified of their own messages. The email is sent later, by `emailUnread`.
 */
export function notifyOfMessages({ tenantId, conversationId, fromSeq }: InformJob, now = new Date()): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    await lockReading(tx, conversationId, true)
    const conversation = await findInformedConversation(tx, conversationId)
    if (!conversation) return
    const members = await listUnreadMembers(tx, { conversationId, fromSeq })
    await notifyMembers(tx, { conversationId, fromSeq, conversation, members, now })
  })
}

interface Informed {
  conversationId: string
  fromSeq: number
  conversation: InformedConversation
  members: readonly UnreadMember[]
  now: Date
}

async function notifyMembers(tx: Tx, informed: Informed): Promise<void> {
  const { conversationId, fromSeq, conversation, members, now } = informed
  const total = new Map(members.map(({ memberId, unread }) => [memberId, unread]))
  for (const { subject, context, memberIds } of groupByName(conversation, members)) {
    await notify(
      tx,
      {
        kind: 'chat_message',
        memberIds,
        key: `${notificationGroup(conversationId)}/${fromSeq}`,
        data: { subject, ...(context && { context }) },
        link: `/chat?conversation=${conversationId}`,
        groupKey: notificationGroup(conversationId),
        total,
        subjects: subjectsOf(conversationId, conversation),
        channels: ['inApp', 'push', 'telegram'],
      },
      now,
    )
  }
}

/** What members can mute to learn no more of a conversation. */
export function subjectsOf(
  conversationId: string,
  { courseId, groupId }: Pick<InformedConversation, 'courseId' | 'groupId'>,
): MuteSubject[] {
  return [
    { type: 'conversation', id: conversationId },
    ...(courseId ? [{ type: 'course' as const, id: courseId }] : []),
    ...(groupId ? [{ type: 'group' as const, id: groupId }] : []),
  ]
}

interface SameName {
  subject: string
  context: string | null
  memberIds: string[]
}

/** The members to whom a conversation has the same name. */
export function groupByName(conversation: InformedConversation, members: readonly UnreadMember[]): SameName[] {
  const groups = new Map<string, SameName>()
  for (const member of members) {
    const names = namesFor(conversation, member)
    const key = `${names.subject}\n${names.context ?? ''}`
    const group = groups.get(key)
    if (group) group.memberIds.push(member.memberId)
    else groups.set(key, { ...names, memberIds: [member.memberId] })
  }
  return [...groups.values()]
}

function namesFor(
  { kind, title, courseTitle, lessonTitle, studentName }: InformedConversation,
  { isStudent, lastAuthor }: Pick<UnreadMember, 'isStudent' | 'lastAuthor'>,
): { subject: string; context: string | null } {
  switch (kind) {
    case 'direct':
      return { subject: lastAuthor, context: null }
    case 'course':
    case 'team':
      return { subject: title, context: null }
    case 'group':
      return { subject: title, context: courseTitle }
    case 'lesson':
      return isStudent
        ? { subject: lessonTitle ?? lastAuthor, context: lastAuthor }
        : { subject: studentName ?? lastAuthor, context: lessonTitle }
    case 'support':
      return { subject: isStudent ? lastAuthor : (studentName ?? lastAuthor), context: null }
  }
}
