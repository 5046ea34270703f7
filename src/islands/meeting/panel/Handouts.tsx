import { useStore } from '@nanostores/react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { useChatAction } from '../chat/use-chat-action.ts'
import { $state, roomApi } from '../room.ts'
import { useTranslation } from '../translation.ts'

/** Handouts of the event: links, and files whose signed address is requested on click. */
export function Handouts({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { handouts } = useStore($state) ?? view.state
  const { errorText, run } = useChatAction()
  return (
    <div className="chat-page">
      {handouts.length === 0 && <p className="chat-empty">{t('meeting:materials.empty')}</p>}
      {errorText && (
        <p className="chat-failed" role="alert">
          {errorText}
        </p>
      )}
      <ul aria-label={t('meeting:materials.list')} className="chat-cards">
        {handouts.map(({ handoutId, content }) => (
          <li key={handoutId} className="chat-card handout">
            <span>{content.title}</span>
            {content.url && !content.fileId ? (
              <a
                className="btn btn-sm"
                href={content.url}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={t('meeting:materials.open', { title: content.title })}
              >
                ↗
              </a>
            ) : (
              <button
                type="button"
                className="btn btn-sm"
                aria-label={t('meeting:materials.open', { title: content.title })}
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
  const { address } = await roomApi.getHandout({ handoutId })
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
