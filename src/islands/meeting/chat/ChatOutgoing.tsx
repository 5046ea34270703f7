import type { MessageKey } from '#lib/core/shared/text/message-key.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { useTranslation } from '../translation.ts'
import { ChatText } from './ChatText.tsx'
import { discardMessage, retryMessage } from './chat.ts'
import { refusalText } from './chat-format.ts'
import type { OutgoingMessage } from './chat-outbox.ts'

const WAITING: Partial<Record<string, MessageKey>> = {
  slow: 'meeting:refused.slow',
  server: 'meeting:chat.sending',
}

interface Props {
  message: OutgoingMessage
  me: RoomPerson
  edit: (text: string) => void
}

/** An own message that is being sent or was refused. It stays visible until it is sent or discarded. */
export function ChatOutgoing({ message, me, edit }: Props) {
  const { t, locale } = useTranslation()
  const { messageId, text, state, refusal } = message
  const isRefused = state === 'failed'
  return (
    <>
      <p className="chat-head">
        <strong>{me.name}</strong>
        <span className="chat-you">{t('meeting:chat.you')}</span>
      </p>
      <ChatText text={text} />
      <p className={isRefused ? 'chat-failed' : 'chat-held'} role="status">
        {isRefused && `${t('meeting:chat.failed')}. ${refusalText(t, refusal, me.mutedUntil, locale)}`}
        {state === 'sending' && t('meeting:chat.sending')}
        {state === 'waiting' && t(WAITING[refusal ?? ''] ?? 'meeting:chat.waiting')}
      </p>
      {isRefused && (
        <p className="chat-reactions">
          <button type="button" className="btn btn-xs" onClick={() => retryMessage(messageId)}>
            {t('meeting:chat.retry')}
          </button>
          <button type="button" className="btn btn-xs" onClick={() => edit(discardMessage(messageId)?.text ?? '')}>
            {t('meeting:chat.edit')}
          </button>
          <button type="button" className="btn btn-xs btn-ghost" onClick={() => discardMessage(messageId)}>
            {t('meeting:chat.discard')}
          </button>
        </p>
      )}
    </>
  )
}
