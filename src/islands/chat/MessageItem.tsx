import { CornerUpLeft, Pencil, Trash2 } from 'lucide-react'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { messagePlainText } from '#lib/chat/message/markdown-rules.ts'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ConversationMessage, ConversationReader } from './chat-props.ts'
import { MessageBody } from './MessageBody.tsx'

export interface MessageActions {
  onReply(message: ConversationMessage): void
  onEdit(message: ConversationMessage): void
  onDelete(message: ConversationMessage): void
  onJump(seq: number): void
}

interface Props {
  conversationId: string
  message: ConversationMessage
  reader: ConversationReader
  canPost: boolean
  /** The other participant has read it. */
  isRead: boolean
  actions: MessageActions
  t: Translate
}

/** The address of a message, which shows the messages around it. */
const messageHref = (conversationId: string, seq: number): string =>
  `/chat?conversation=${conversationId}&message=${seq}#message-${seq}`

/** A message with its author, time and actions. */
export function MessageItem({ conversationId, message, reader, canPost, isRead, actions, t }: Props) {
  const { seq, author, authorId, isStaff, body, reply, createdAt, editedAt, deletedAt } = message
  const isMine = authorId === reader.memberId
  const isDeleted = deletedAt !== null
  const time = formatRelativeDateTime(createdAt, reader.timeZone, reader.locale)
  return (
    <li className="chat-message" data-mine={isMine || undefined} data-seq={seq} id={`message-${seq}`}>
      <p className="chat-message-head">
        <strong>{isMine ? t('chat:message.you') : author}</strong>
        {!isMine && isStaff && <span>{t('chat:message.staff')}</span>}
        <a href={messageHref(conversationId, seq)} aria-label={t('chat:message.link', { time })}>
          <time dateTime={createdAt}>{time}</time>
        </a>
        {editedAt && !isDeleted && <span>{t('chat:message.edited')}</span>}
        {isRead && <span>{t('chat:message.read')}</span>}
      </p>
      {reply && (
        <a
          className="chat-reply"
          href={messageHref(conversationId, reply.seq)}
          onClick={(event) => {
            event.preventDefault()
            actions.onJump(reply.seq)
          }}
        >
          <strong>{reply.author}</strong> {messagePlainText(reply.body) || t('chat:message.deleted')}
        </a>
      )}
      {isDeleted ? <p className="text-muted italic">{t('chat:message.deleted')}</p> : <MessageBody body={body} />}
      {!isDeleted && reader.canWrite && (
        <div className="chat-message-actions">
          {canPost && (
            <IconButton icon={CornerUpLeft} label={t('chat:action.reply')} onClick={() => actions.onReply(message)} />
          )}
          {isMine && <IconButton icon={Pencil} label={t('chat:action.edit')} onClick={() => actions.onEdit(message)} />}
          {(isMine || reader.moderates) && (
            <IconButton icon={Trash2} label={t('chat:action.delete')} onClick={() => actions.onDelete(message)} />
          )}
        </div>
      )}
    </li>
  )
}
