import type { OutboxItem } from '#islands/stores/outbox/outbox-storage.ts'
import type { MessageKey } from '#lib/core/shared/text/message-key.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { useTranslation } from '../translation.ts'
import { ChatText } from './ChatText.tsx'
import { discardChatMessage, retryChatMessage } from './chat.ts'
import type { OutgoingMessage } from './chat-drafts.ts'
import { refusalText } from './chat-format.ts'

const WAITING: Partial<Record<string, MessageKey>> = {
  throttled: 'meeting:refused.slow',
  server: 'meeting:chat.sending',
}

interface Props {
  message: OutboxItem<OutgoingMessage>
  me: RoomPerson
  edit: (text: string) => void
}

/** An own message that is being sent or was refused. It stays visible until it is sent or discarded. */
export function ChatOutgoing({ message, me, edit }: Props) {
  const { t, locale } = useTranslation()
  const { id, payload, state, cause, reason } = message
  const isRefused = state === 'failed'
  const refusal = cause === 'server' ? cause : reason
  return (
    <>
      <p className="chat-head">
        <strong>{me.name}</strong>
        <span className="chat-you">{t('meeting:chat.you')}</span>
      </p>
      <ChatText text={payload.text} />
      <p className={isRefused ? 'chat-failed' : 'chat-held'} role="status">
        {isRefused && `${t('meeting:chat.failed')}. ${refusalText(t, refusal, me.mutedUntil, locale)}`}
        {state === 'sending' && t('meeting:chat.sending')}
        {state === 'waiting' && t(WAITING[cause ?? ''] ?? 'meeting:chat.waiting')}
      </p>
      {isRefused && (
        <p className="chat-reactions">
          <button type="button" className="btn btn-xs" onClick={() => retryChatMessage(id)}>
            {t('meeting:chat.retry')}
          </button>
          <button type="button" className="btn btn-xs" onClick={() => edit(discardChatMessage(id)?.text ?? '')}>
            {t('meeting:chat.edit')}
          </button>
          <button type="button" className="btn btn-xs btn-ghost" onClick={() => discardChatMessage(id)}>
            {t('meeting:chat.discard')}
          </button>
        </p>
      )}
    </>
  )
}
