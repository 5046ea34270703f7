import { useStore } from '@nanostores/react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { act } from '../room.ts'
import { useWords } from '../stage/stage-words.ts'
import { ChatText } from './ChatText.tsx'
import { $chat } from './chat.ts'
import { useRun } from './chat-run.ts'
import { clockOf } from './chat-words.ts'

/** What waits for a moderator, the oldest first: let in or turned away. */
export function ChatQueue({ view: _ }: { view: RoomView }) {
  const { say } = useWords()
  const { waiting } = useStore($chat)
  const { words, run } = useRun()
  return (
    <div className="chat-page">
      {words && (
        <p className="chat-failed" role="alert">
          {words}
        </p>
      )}
      {waiting.length === 0 && <p className="chat-empty">{say('meeting:queue.empty')}</p>}
      <ul aria-label={say('meeting:queue.list')} className="chat-cards">
        {waiting.slice(0, 100).map(({ messageId, name, text, held, offsetMs }) => (
          <li key={messageId} className="chat-card">
            <p className="chat-head">
              <strong>{name}</strong>
              {(held === 'words' || held === 'premod') && (
                <span className="chat-badge">{say(`meeting:queue.${held}`)}</span>
              )}
              <span className="chat-time">{clockOf(offsetMs)}</span>
            </p>
            <ChatText text={text} />
            <p className="chat-reactions">
              <button
                type="button"
                className="btn btn-xs btn-primary"
                onClick={() => run(() => act.approveMessage({ messageId }))}
              >
                {say('meeting:queue.approve')}
              </button>
              <button type="button" className="btn btn-xs" onClick={() => run(() => act.deleteMessage({ messageId }))}>
                {say('meeting:queue.reject')}
              </button>
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}
