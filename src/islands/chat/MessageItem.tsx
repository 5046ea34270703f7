import { CornerUpLeft, Ellipsis, Forward, MessagesSquare, Pin } from 'lucide-react'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { messagePlainText } from '#lib/chat/message/markdown-rules.ts'
import type { MessageReaction } from '#lib/chat/schema.ts'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ConversationMessage, ConversationReader } from './chat-props.ts'
import { MessageBody } from './MessageBody.tsx'
import { MessageFiles } from './MessageFiles.tsx'
import { EVERYONE } from './mention-text.ts'
import { messageHref } from './message-href.ts'

export interface MessageHandlers {
  onReply(message: ConversationMessage): void
  onMenu(message: ConversationMessage, anchor: HTMLElement): void
  onReact(message: ConversationMessage, reaction: MessageReaction): void
  onJump(seq: number): void
  /** Shows the earlier texts of an edited message. */
  onEarlierTexts(message: ConversationMessage): void
  /** Opens the thread of a message; null where it is open. */
  onThread: ((message: ConversationMessage) => void) | null
}

interface Props {
  /** Of the id of the element: a message may be displayed twice. */
  idPrefix: 'message' | 'thread-message'
  conversationId: string
  message: ConversationMessage
  reader: ConversationReader
  canPost: boolean
  /** The address of the page is the one of this message. */
  isLinked: boolean
  /** The other participant has read it. */
  isRead: boolean
  handlers: MessageHandlers
  t: Translate
}

/** A message with its author, time, reactions and actions. */
export function MessageItem(props: Props) {
  const { idPrefix, conversationId, message, reader, canPost, isLinked, isRead, handlers, t } = props
  const { seq, author, authorId, isStaff, body, reply, createdAt, editedAt, deletedAt, isPinned, forwardedFrom } =
    message
  const isMine = authorId === reader.memberId
  const isDeleted = deletedAt !== null
  const time = formatRelativeDateTime(createdAt, reader.timeZone, reader.locale)
  return (
    <li
      className="chat-message"
      data-mine={isMine || undefined}
      data-linked={isLinked || undefined}
      data-seq={seq}
      id={`${idPrefix}-${seq}`}
    >
      <p className="chat-message-head">
        <strong>{isMine ? t('chat:message.you') : author}</strong>
        {!isMine && isStaff && <span>{t('chat:message.staff')}</span>}
        <a href={messageHref(conversationId, seq)} aria-label={t('chat:message.link', { time })}>
          <time dateTime={createdAt}>{time}</time>
        </a>
        {editedAt && !isDeleted && (
          <button
            type="button"
            className="still-link"
            aria-label={`${t('chat:message.edited')}. ${t('chat:edits.open')}`}
            title={t('chat:edits.open')}
            aria-haspopup="dialog"
            onClick={() => handlers.onEarlierTexts(message)}
          >
            {t('chat:message.edited')}
          </button>
        )}
        {isPinned && (
          <span className="chat-message-mark">
            <Pin size={14} strokeWidth={1.75} aria-hidden="true" /> {t('chat:message.pinned')}
          </span>
        )}
        {isRead && <span>{t('chat:message.read')}</span>}
      </p>
      {forwardedFrom && (
        <p className="chat-message-mark text-muted text-sm">
          <Forward size={14} strokeWidth={1.75} aria-hidden="true" />
          {t('chat:message.forwarded', { name: forwardedFrom })}
        </p>
      )}
      {reply && (
        <a
          className="chat-reply"
          href={messageHref(conversationId, reply.seq)}
          onClick={(event) => {
            event.preventDefault()
            handlers.onJump(reply.seq)
          }}
        >
          <strong>{reply.author}</strong> {messagePlainText(reply.body) || t('chat:message.deleted')}
        </a>
      )}
      {isDeleted ? (
        <p className="text-muted italic">{t('chat:message.deleted')}</p>
      ) : (
        body !== '' && <MessageBody body={body} mentioned={mentionedNames(message, t)} t={t} />
      )}
      {message.files.length > 0 && <MessageFiles message={message} locale={reader.locale} t={t} />}
      {message.reactions.length > 0 && (
        <Reactions message={message} canWrite={reader.canWrite} onReact={handlers.onReact} t={t} />
      )}
      {message.threadSeq === null && message.replyCount > 0 && handlers.onThread && (
        <a
          className="chat-replies"
          href={`/chat?conversation=${conversationId}&message=${seq}&thread=${seq}`}
          onClick={(event) => {
            event.preventDefault()
            handlers.onThread?.(message)
          }}
        >
          <MessagesSquare size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('chat:thread.count', { count: message.replyCount })}
        </a>
      )}
      {!isDeleted && reader.canWrite && (
        <div className="chat-message-actions">
          {canPost && (
            <IconButton icon={CornerUpLeft} label={t('chat:action.reply')} onClick={() => handlers.onReply(message)} />
          )}
          <button
            type="button"
            className="btn btn-ghost btn-sm btn-square"
            aria-label={t('chat:action.more', { name: author })}
            title={t('chat:action.moreShort')}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => handlers.onMenu(message, currentTarget)}
          >
            <Ellipsis size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </div>
      )}
    </li>
  )
}

interface ReactionsProps {
  message: ConversationMessage
  canWrite: boolean
  onReact: MessageHandlers['onReact']
  t: Translate
}

function Reactions({ message, canWrite, onReact, t }: ReactionsProps) {
  return (
    <p className="chat-reactions">
      {message.reactions.map(({ reaction, count }) => (
        <button
          key={reaction}
          type="button"
          className="chat-reaction"
          aria-pressed={message.ownReactions.includes(reaction)}
          aria-label={t('chat:reaction.count', { emoji: reaction, count })}
          disabled={!canWrite}
          onClick={() => onReact(message, reaction)}
        >
          <span aria-hidden="true">{reaction}</span> {count}
        </button>
      ))}
    </p>
  )
}

/** The names that the text may mention as `@name`; the word for everyone is accepted in both languages. */
function mentionedNames({ mentions, mentionsAll }: ConversationMessage, t: Translate): string[] {
  return [...mentions.map(({ name }) => name), ...(mentionsAll ? [t('chat:mention.all'), ...EVERYONE] : [])]
}
