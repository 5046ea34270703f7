import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { roomApi } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { ChatText } from './ChatText.tsx'

interface Props {
  pinned: RoomState['pinned']
  isStaff: boolean
  run: (action: () => Promise<unknown>) => void
}

/** Pinned messages, the newest last. They never take more than a part of the panel. */
export function ChatPinned({ pinned, isStaff, run }: Props) {
  const { t } = useTranslation()
  if (pinned.length === 0) return null
  return (
    <section className="chat-pinned" aria-label={t('meeting:chat.pinned')}>
      {pinned.map(({ messageId, text, author }) => (
        <div key={messageId} className="chat-pin">
          <p className="chat-head">
            <span aria-hidden="true">📌</span> <strong>{author?.name}</strong>
            {isStaff && (
              <button
                type="button"
                className="btn btn-xs btn-ghost"
                onClick={() => run(() => roomApi.pinMessage({ messageId, pinned: false }))}
              >
                {t('meeting:chat.unpin')}
              </button>
            )}
          </p>
          <ChatText text={text} />
        </div>
      ))}
    </section>
  )
}
