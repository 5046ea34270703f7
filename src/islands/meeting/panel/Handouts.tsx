import { useStore } from '@nanostores/react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { useRun } from '../chat/chat-run.ts'
import { $state, act } from '../room.ts'
import { useWords } from '../stage/stage-words.ts'

/** The hand-outs of the event: links at once, files by an address that is asked for when it is wanted. */
export function Handouts({ view }: { view: RoomView }) {
  const { say } = useWords()
  const { handouts } = useStore($state) ?? view.state
  const { words, run } = useRun()
  return (
    <div className="chat-page">
      {handouts.length === 0 && <p className="chat-empty">{say('meeting:materials.empty')}</p>}
      {words && (
        <p className="chat-failed" role="alert">
          {words}
        </p>
      )}
      <ul aria-label={say('meeting:materials.list')} className="chat-cards">
        {handouts.map(({ handoutId, content }) => (
          <li key={handoutId} className="chat-card handout">
            <span>{content.title}</span>
            {content.url && !content.fileId ? (
              <a
                className="btn btn-sm"
                href={content.url}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={say('meeting:materials.open', { title: content.title })}
              >
                ↗
              </a>
            ) : (
              <button
                type="button"
                className="btn btn-sm"
                aria-label={say('meeting:materials.open', { title: content.title })}
                onClick={() => run(() => openFile(handoutId))}
              >
                ↓
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

async function openFile(handoutId: string): Promise<void> {
  const { address } = await act.getHandout({ handoutId })
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
