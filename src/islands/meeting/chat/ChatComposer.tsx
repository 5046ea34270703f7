import { useStore } from '@nanostores/react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { CHAT_MESSAGE_LIMIT, type ChatMessageKind, type ChatMessageView, REACTIONS } from '#lib/meeting/chat/schema.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $me, $state, roomApi } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { useNow } from '../use-now.ts'
import { $slowModeUntil, queueChatMessage } from './chat.ts'
import { readChatDraft, saveChatDraft } from './chat-drafts.ts'
import { refusalText } from './chat-format.ts'
import { getChatPermission } from './chat-permission.ts'

interface Props {
  view: RoomView
  kind: ChatMessageKind
  /** The message that is being answered. */
  replyTo: ChatMessageView | null
  onDone: () => void
  /** Text of a refused message to be edited; a new object each time. */
  correction: { text: string } | null
}

/** The message field. The draft survives a reload and a lost network; Enter sends. */
export function ChatComposer({ view, kind, replyTo, onDone, correction }: Props) {
  const { t, locale } = useTranslation()
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const me = useStore($me) ?? view.me
  const state = useStore($state) ?? view.state
  const slowModeUntil = useStore($slowModeUntil)
  const now = useNow(view)
  const { closed, until, slowSeconds, note } = getChatPermission(
    view,
    me,
    state,
    { kind, text },
    { now, slowModeUntil },
  )
  const isQuestion = kind === 'question'

  const setDraft = (text: string) => {
    setText(text)
    saveChatDraft(view.sessionId, kind, text)
  }
  useEffect(() => setText((typed) => typed || readChatDraft(view.sessionId, kind)), [view.sessionId, kind])
  useEffect(() => {
    if (correction) setText(correction.text)
    if (correction || replyTo) field.current?.focus()
  }, [correction, replyTo])

  const send = () => {
    const body = text.trim()
    if (body === '' || closed || body.length > CHAT_MESSAGE_LIMIT) return
    queueChatMessage(kind, body, replyTo?.messageId ?? null)
    setDraft('')
    onDone()
    field.current?.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && replyTo) return onDone()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const label = t(isQuestion ? 'meeting:chat.ask' : 'meeting:chat.write')
  const remainingCharacters = CHAT_MESSAGE_LIMIT - text.length
  return (
    <form
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {replyTo && (
        <p className="chat-quote chat-quote-line">
          <span>{t('meeting:chat.replying', { name: replyTo.name })}</span>
          <button type="button" className="btn btn-xs btn-ghost" onClick={onDone}>
            {t('meeting:chat.cancelReply')}
          </button>
        </p>
      )}
      <div className="chat-write">
        <textarea
          ref={field}
          rows={1}
          className="textarea"
          aria-label={label}
          aria-describedby={`chat-standing-${kind}`}
          placeholder={t(isQuestion ? 'meeting:chat.askPlaceholder' : 'meeting:chat.placeholder')}
          value={text}
          maxLength={CHAT_MESSAGE_LIMIT}
          enterKeyHint="send"
          onChange={({ target }) => setDraft(target.value)}
          onKeyDown={handleKey}
        />
        <button type="submit" className="btn btn-primary" disabled={closed !== null || text.trim() === ''}>
          {t(isQuestion ? 'meeting:chat.askSend' : 'meeting:chat.send')}
        </button>
      </div>
      <p
        id={`chat-standing-${kind}`}
        className={closed ? 'chat-failed' : 'chat-hint'}
        data-keys={closed || slowSeconds > 0 || remainingCharacters < 200 || note ? undefined : ''}
      >
        {closed
          ? refusalText(t, closed, until, locale)
          : slowSeconds > 0
            ? t('meeting:chat.slow', { count: slowSeconds })
            : remainingCharacters < 200
              ? t('meeting:chat.left', { count: remainingCharacters })
              : t(note ? `meeting:chat.${note}` : 'meeting:chat.hint')}
      </p>
      {!isQuestion && state.phase === 'live' && me.role === 'viewer' && (
        <p className="chat-applause">
          {REACTIONS.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={t('meeting:chat.applaud', { emoji })}
              onClick={() => void roomApi.react({ messageId: null, emoji, on: true }).catch(() => {})}
            >
              {emoji}
            </button>
          ))}
        </p>
      )}
    </form>
  )
}
