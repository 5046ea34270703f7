import type { MessageKey } from '#lib/core/shared/text/message-key.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { useWords } from '../stage/stage-words.ts'
import { ChatText } from './ChatText.tsx'
import { discardLetter, retryLetter } from './chat.ts'
import type { Letter } from './chat-outbox.ts'
import { refusedWords } from './chat-words.ts'

const WAITING: Partial<Record<string, MessageKey>> = {
  slow: 'meeting:refused.slow',
  server: 'meeting:chat.sending',
}

/** A message of one's own that is on its way, or that was refused: never lost from sight. */
export function ChatLetter({ letter, me, edit }: { letter: Letter; me: RoomPerson; edit: (text: string) => void }) {
  const { say, locale } = useWords()
  const { messageId, text, state, because } = letter
  const failed = state === 'failed'
  return (
    <>
      <p className="chat-head">
        <strong>{me.name}</strong>
        <span className="chat-you">{say('meeting:chat.you')}</span>
      </p>
      <ChatText text={text} />
      <p className={failed ? 'chat-failed' : 'chat-held'} role="status">
        {failed && `${say('meeting:chat.failed')}. ${refusedWords(say, because, me.mutedUntil, locale)}`}
        {state === 'sending' && say('meeting:chat.sending')}
        {state === 'waiting' && say(WAITING[because ?? ''] ?? 'meeting:chat.waiting')}
      </p>
      {failed && (
        <p className="chat-reactions">
          <button type="button" className="btn btn-xs" onClick={() => retryLetter(messageId)}>
            {say('meeting:chat.retry')}
          </button>
          <button type="button" className="btn btn-xs" onClick={() => edit(discardLetter(messageId)?.text ?? '')}>
            {say('meeting:chat.edit')}
          </button>
          <button type="button" className="btn btn-xs btn-ghost" onClick={() => discardLetter(messageId)}>
            {say('meeting:chat.discard')}
          </button>
        </p>
      )}
    </>
  )
}
