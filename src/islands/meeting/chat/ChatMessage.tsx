import { memo } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { formatTime } from '#lib/core/shared/locale.ts'
import { formatClockOffset } from '#lib/core/shared/text/clock.ts'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import { type ChatMessageView, UPVOTE } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { useTranslation } from '../translation.ts'
import { ChatText } from './ChatText.tsx'
import { toggleReaction } from './chat.ts'
import { useTimeZone } from './chat-format.ts'
import { createMessageMenu } from './chat-menu.ts'

export interface MessageProps {
  message: ChatMessageView
  me: RoomPerson
  isPinned: boolean
  /** In a replay: seeks the recording to the message's offset. */
  seek: ((offsetMs: number) => void) | null
  run: (action: () => Promise<unknown>) => void
  reply: (message: ChatMessageView) => void
}

/** One message with author, time, text and reactions. It uses few elements because many are rendered. */
export const ChatMessage = memo(function ChatMessage({
  message,
  me,
  isPinned: pinned,
  seek,
  run,
  reply,
}: MessageProps) {
  const { t, locale } = useTranslation()
  const zone = useTimeZone()
  const { name, role, at, offsetMs, state, holdReason, reactions, ownReactions } = message
  const isOwn = message.authorId === me.personId
  const reactionCounts = Object.entries(reactions).filter(([emoji]) => emoji !== UPVOTE)
  return (
    <>
      <p className="chat-head">
        <strong>{name}</strong>
        {isOwn && <span className="chat-you">{t('meeting:chat.you')}</span>}
        {isStaff(role) && <span className="chat-badge">{t(`meeting:role.${role}`)}</span>}
        {seek ? (
          <button
            type="button"
            className="chat-time"
            aria-label={t('meeting:chat.seek', { time: formatClockOffset(offsetMs) })}
            onClick={() => seek(offsetMs)}
          >
            {formatClockOffset(offsetMs)}
          </button>
        ) : (
          <time
            className="chat-time"
            dateTime={new Date(at).toISOString()}
            title={t('meeting:chat.at', { time: formatClockOffset(offsetMs) })}
          >
            {zone && formatTime(new Date(at), zone, locale)}
          </time>
        )}
      </p>
      {message.replyTo && (
        <p className="chat-quote">
          {message.reply
            ? `${t('meeting:chat.repliesTo', { name: message.reply.name })}: ${message.reply.text}`
            : t('meeting:chat.repliesGone')}
        </p>
      )}
      <ChatText text={message.text} />
      {state !== 'shown' && holdReason && <p className="chat-held">{t(`meeting:chat.held.${holdReason}`)}</p>}
      {reactionCounts.length > 0 && (
        <p className="chat-reactions">
          {reactionCounts.map(([emoji, count]) => (
            <button
              key={emoji}
              type="button"
              className="chat-reaction"
              aria-pressed={ownReactions.includes(emoji)}
              aria-label={t('meeting:chat.reacted', { emoji, count })}
              disabled={seek !== null}
              onClick={() => run(() => toggleReaction(message, emoji as Parameters<typeof toggleReaction>[1]))}
            >
              {emoji} {count}
            </button>
          ))}
        </p>
      )}
      {!seek && (
        <Menu
          trigger={
            <button type="button" className="chat-actions" tabIndex={-1} aria-label={t('meeting:chat.acts', { name })}>
              ⋯
            </button>
          }
          entries={createMessageMenu(message, pinned, { t, me, run, reply: () => reply(message) })}
        />
      )}
    </>
  )
})
