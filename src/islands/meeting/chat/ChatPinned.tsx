import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { act } from '../room.ts'
import { useWords } from '../stage/stage-words.ts'
import { ChatText } from './ChatText.tsx'

interface Props {
  pinned: RoomState['pinned']
  staff: boolean
  run: (act: () => Promise<unknown>) => void
}

/** What the staff keep at the top, the newest last; it never takes more than a part of the panel. */
export function ChatPinned({ pinned, staff, run }: Props) {
  const { say } = useWords()
  if (pinned.length === 0) return null
  return (
    <section className="chat-pinned" aria-label={say('meeting:chat.pinned')}>
      {pinned.map(({ messageId, text, author }) => (
        <div key={messageId} className="chat-pin">
          <p className="chat-head">
            <span aria-hidden="true">📌</span> <strong>{author?.name}</strong>
            {staff && (
              <button
                type="button"
                className="btn btn-xs btn-ghost"
                onClick={() => run(() => act.pinMessage({ messageId, pinned: false }))}
              >
                {say('meeting:chat.unpin')}
              </button>
            )}
          </p>
          <ChatText text={text} />
        </div>
      ))}
    </section>
  )
}
