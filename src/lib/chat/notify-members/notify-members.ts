import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { NewNotification } from '#lib/notification/new-notification.ts'
import { notify } from '#lib/notification/notify.ts'
import type { MuteSubject } from '#lib/notification/settings/schema.ts'
import {
  findNotifiedConversation,
  listUnreadMembers,
  type NotifiedConversation,
  type UnreadMember,
} from './audience.ts'
import { type ChatNotificationJob, lockReading, notificationGroup, planUnreadEmail } from './plan.ts'

/**
 * Notifies the readers of a conversation who have not read its messages in the product, by push and by Telegram; they
 * are not notified of their own messages. Plans the email, which `emailUnread` sends later.
 */
export function notifyOfMessages(
  { tenantId, conversationId, fromSeq }: ChatNotificationJob,
  now = new Date(),
): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    await lockReading(tx, conversationId, true)
    const conversation = await findNotifiedConversation(tx, conversationId)
    if (!conversation) return
    const members = await listUnreadMembers(tx, { conversationId, fromSeq })
    await notifyMembers(tx, { conversationId, fromSeq, conversation, members, now })
    await planUnreadEmail({ tenantId, conversationId, fromSeq })
  })
}

interface NotificationRun {
  conversationId: string
  fromSeq: number
  conversation: NotifiedConversation
  members: readonly UnreadMember[]
  now: Date
}

async function notifyMembers(tx: Tx, run: NotificationRun): Promise<void> {
  const { conversationId, fromSeq, conversation, members, now } = run
  const total = new Map(members.map(({ memberId, unread }) => [memberId, unread]))
  for (const { subject, context, memberIds, ...kindOf } of groupByName(conversationId, conversation, members)) {
    await notify(
      tx,
      {
        ...kindOf,
        memberIds,
        key: `${notificationGroup(conversationId)}/${fromSeq}`,
        data: { subject, ...(context && { context }) },
        link: `/chat?conversation=${conversationId}`,
        groupKey: notificationGroup(conversationId),
        total,
        channels: ['inApp', 'push', 'telegram'],
      },
      now,
    )
  }
}

/** What members can mute to learn no more of a conversation. */
function subjectsOf(
  conversationId: string,
  { courseId, groupId }: Pick<NotifiedConversation, 'courseId' | 'groupId'>,
): MuteSubject[] {
  return [
    { type: 'conversation', id: conversationId },
    ...(courseId ? [{ type: 'course' as const, id: courseId }] : []),
    ...(groupId ? [{ type: 'group' as const, id: groupId }] : []),
  ]
}

/** Members to whom a conversation has the same name, and who learn of it in the same way. */
interface SameName extends Pick<NewNotification, 'subjects'> {
  kind: 'chat_message' | 'chat_mention'
  subject: string
  context: string | null
  memberIds: string[]
}

/** Groups members. Those who are mentioned learn of it although they have muted the conversation. */
export function groupByName(
  conversationId: string,
  conversation: NotifiedConversation,
  members: readonly UnreadMember[],
): SameName[] {
  const ordinary = { kind: 'chat_message', subjects: subjectsOf(conversationId, conversation) } as const
  const mention = { kind: 'chat_mention', subjects: [] } as const
  const groups = new Map<string, SameName>()
  for (const member of members) {
    const names = namesFor(conversation, member)
    const key = `${member.isMentioned}\n${names.subject}\n${names.context ?? ''}`
    const group = groups.get(key)
    if (group) group.memberIds.push(member.memberId)
    else groups.set(key, { ...names, ...(member.isMentioned ? mention : ordinary), memberIds: [member.memberId] })
  }
  return [...groups.values()]
}

function namesFor(
  { kind, title, courseTitle, lessonTitle, studentName }: NotifiedConversation,
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
