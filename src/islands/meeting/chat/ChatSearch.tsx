import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { downloadText } from '#islands/stores/download.ts'
import { useLatestRequest } from '#islands/ui/request/use-latest-request.ts'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import type { ChatMessageView } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson, RoomView } from '#lib/meeting/room-schema.ts'
import { roomApi } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { ChatMessage } from './ChatMessage.tsx'

interface Props {
  view: RoomView
  me: RoomPerson
  run: (action: () => Promise<unknown>) => void
  reply: (message: ChatMessageView) => void
}

const SEARCH_DEBOUNCE_MS = 250

/** Searches the whole chat on the server; staff can also download the chat as a file. */
export function ChatSearch({ view, me, run, reply }: Props) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [results, setResults] = useState<{ search: string; messages: readonly ChatMessageView[] } | null>(null)
  const latest = useLatestRequest()
  const query = search.trim()

  useEffect(() => {
    latest.cancel()
    if (query === '') {
      setResults(null)
      return
    }
    const timer = setTimeout(() => {
      const request = () => roomApi.findMessages({ search: query })
      void latest.run(request, ({ messages }) => setResults({ search: query, messages }))
    }, SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [query, latest])

  return (
    <div className="chat-search">
      <div className="chat-write">
        <input
          type="search"
          className="input input-sm"
          aria-label={t('meeting:chat.search')}
          placeholder={t('meeting:chat.search')}
          value={search}
          maxLength={100}
          onChange={({ target }) => setSearch(target.value)}
        />
        {isStaff(me.role) && (
          <button
            type="button"
            className="btn btn-sm btn-ghost"
            aria-label={t('meeting:chat.export')}
            title={t('meeting:chat.export')}
            onClick={() => run(() => downloadChat(view, t('meeting:chat.file')))}
          >
            <Download size={18} aria-hidden="true" />
          </button>
        )}
      </div>
      {results && (
        <div className="chat-found">
          {results.messages.length === 0 && <p>{t('meeting:chat.searchEmpty', { search: results.search })}</p>}
          <ul aria-label={t('meeting:chat.search')}>
            {results.messages.map((message) => (
              <li key={message.messageId} className="chat-hit">
                <ChatMessage message={message} me={me} isPinned={false} seek={null} run={run} reply={reply} />
              </li>
            ))}
          </ul>
          <button type="button" className="btn btn-xs" onClick={() => setSearch('')}>
            {t('meeting:chat.searchClose')}
          </button>
        </div>
      )}
    </div>
  )
}

async function downloadChat({ workshop }: RoomView, fileSuffix: string): Promise<void> {
  const { csv } = await roomApi.exportChat()
  downloadText(`${workshop.title.slice(0, 80)} ${fileSuffix}.csv`, csv, 'text/csv')
}
