import { useStore } from '@nanostores/react'
import { formatClockOffset } from '#lib/core/shared/text/clock.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { roomApi } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { ChatText } from './ChatText.tsx'
import { $chat } from './chat.ts'
import { useChatAction } from './use-chat-action.ts'

/** Messages that wait for a moderator's approval, the oldest first. */
export function ChatQueue({ view: _ }: { view: RoomView }) {
  const { t } = useTranslation()
  const { waiting } = useStore($chat)
  const { errorText, run } = useChatAction()
  return (
    <div className="chat-page">
      {errorText && (
        <p className="chat-failed" role="alert">
          {errorText}
        </p>
      )}
      {waiting.length === 0 && <p className="chat-empty">{t('meeting:queue.empty')}</p>}
      <ul aria-label={t('meeting:queue.list')} className="chat-cards">
        {waiting.slice(0, 100).map(({ messageId, name, text, holdReason, offsetMs }) => (
          <li key={messageId} className="chat-card">
            <p className="chat-head">
              <strong>{name}</strong>
              {(holdReason === 'words' || holdReason === 'premod') && (
                <span className="chat-badge">{t(`meeting:queue.${holdReason}`)}</span>
              )}
              <span className="chat-time">{formatClockOffset(offsetMs)}</span>
            </p>
            <ChatText text={text} />
            <p className="chat-reactions">
              <button
                type="button"
                className="btn btn-xs btn-primary"
                onClick={() => run(() => roomApi.approveMessage({ messageId }))}
              >
                {t('meeting:queue.approve')}
              </button>
              <button
                type="button"
                className="btn btn-xs"
                onClick={() => run(() => roomApi.deleteMessage({ messageId }))}
              >
                {t('meeting:queue.reject')}
              </button>
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}
