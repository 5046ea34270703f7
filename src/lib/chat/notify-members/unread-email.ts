import { type SQL, sql } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { UUID_SOURCE } from '#lib/core/shared/uuid.ts'
import { type EmailRecipient, type NotificationEmail, pageUrlOf } from '#lib/notification/compose.ts'
import { loadEmailSchool } from '#lib/notification/delivery/school.ts'
import { notify } from '#lib/notification/notify.ts'
import { messagePlainText } from '../message/markdown-rules.ts'
import { type MessageAttachment, UNREAD_LIMIT } from '../schema.ts'
import { findNotifiedConversation, listUnreadMembers } from './audience.ts'
import { groupByName } from './notify-members.ts'
import { type ChatNotificationJob, notificationGroup } from './plan.ts'

/** Messages that one email shows; of more, the latest. */
const MAX_SHOWN = 10
const MAX_MESSAGE_LENGTH = 1000

/** Emails the messages of a conversation to the readers who have not read them for half an hour, once each. */
export function emailUnread(
  { tenantId, conversationId, fromSeq }: ChatNotificationJob,
  now = new Date(),
): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const [conversation, members, messages, school] = await Promise.all([
      findNotifiedConversation(tx, conversationId),
      listUnreadMembers(tx, { conversationId, fromSeq }),
      listLatest(tx, conversationId, fromSeq),
      loadEmailSchool(tx),
    ])
    if (!conversation || !school) return
    const link = `/chat?conversation=${conversationId}`
    const unread = new Map(members.map((member) => [member.memberId, member.unread]))
    for (const { subject, context, memberIds, ...kindOf } of groupByName(conversationId, conversation, members)) {
      const email = (recipient: EmailRecipient) =>
        composeUnread({
          kind: kindOf.kind,
          recipient,
          unread: unread.get(recipient.memberId) ?? 1,
          names: { subject, context },
          shown: messages.filter(({ authorId }) => authorId !== recipient.memberId).slice(-MAX_SHOWN),
          url: pageUrlOf(school, recipient.accountType, link),
        })
      await notify(
        tx,
        {
          ...kindOf,
          memberIds,
          key: `${notificationGroup(conversationId)}/email/${fromSeq}`,
          data: { subject, ...(context && { context }) },
          link,
          groupKey: notificationGroup(conversationId),
          total: unread,
          channels: ['email'],
          email,
        },
        now,
      )
    }
  })
}

const EMAIL_KEY_PATTERN = new RegExp(`^chat/(${UUID_SOURCE})/email/\\d{1,10}/(${UUID_SOURCE})$`)

/** The conversation and the receiver of an email, by its key in the outbox of emails; null for other emails. */
export function readUnreadEmailKey(onceKey: string): { conversationId: string; memberId: string } | null {
  const [, conversationId, memberId] = EMAIL_KEY_PATTERN.exec(onceKey) ?? []
  return conversationId && memberId ? { conversationId, memberId } : null
}

interface Unread {
  kind: 'chat_message' | 'chat_mention'
  recipient: EmailRecipient
  unread: number
  names: { subject: string; context: string | null }
  shown: readonly LatestMessage[]
  url: string
}

function composeUnread({ kind, recipient, unread, names, shown, url }: Unread): NotificationEmail {
  const t = getTranslator(recipient.locale)
  // Of a message without a text, what it has instead.
  const texts = shown.map(
    ({ body, attachment }) => messagePlainText(body) || (attachment === 'none' ? '' : t(`chat:files.${attachment}`)),
  )
  const hidden = unread - shown.length
  const title = t(`notification:title.${kind}`, { subject: names.subject, count: unread })
  return {
    subject: title,
    parts: {
      preheader: (texts.at(-1) ?? '').slice(0, 120),
      heading: title,
      paragraphs: [
        ...(names.context ? [names.context] : []),
        ...(hidden > 0 ? [t('chat:email.earlier', { count: hidden })] : []),
        ...shown.map(({ author }, index) => `${author}: ${shorten(texts[index] ?? '')}`),
      ],
      button: { label: t('chat:email.open'), href: url },
      ...(config.mailReplyAddress && { footnote: t('chat:email.reply') }),
    },
    acceptsReplies: true,
  }
}

const shorten = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH).trimEnd()}…` : text

interface LatestMessage extends Record<string, unknown> {
  authorId: string
  author: string
  body: string
  attachment: MessageAttachment
}

async function listLatest(tx: Tx, conversationId: string, fromSeq: number): Promise<LatestMessage[]> {
  const name: SQL = sql`${personNameIn('u')}`
  const { rows } = await tx.execute<LatestMessage>(sql`
    select w.author_id as "authorId", ${name} as author, w.body, w.attachment from chat_message w
      join membership m on m.tenant_id = w.tenant_id and m.id = w.author_id join "user" u on u.id = m.user_id
    where w.tenant_id = current_tenant() and w.conversation_id = ${conversationId} and w.seq >= ${fromSeq}
      and w.deleted_at is null order by w.seq desc limit ${UNREAD_LIMIT}`)
  return rows.reverse()
}
