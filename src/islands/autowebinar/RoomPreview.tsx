import { useStore } from '@nanostores/react'
import { useMemo } from 'react'
import { foldRoomAt, selectPlayed } from '#lib/autowebinar/playback-rules.ts'
import type { ScriptEntry } from '#lib/autowebinar/schema.ts'
import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'
import { formatEntry, formatTimecode } from './script.ts'
import { $positionMs } from './script-store.ts'

interface Props {
  entries: readonly ScriptEntry[]
  muted: readonly Track[]
  chat: ChatSettings
  slidesFileId: string | null
  t: Translate
}

const MAX_MESSAGES = 6

/** Preview of the room at the video position: the state after all entries up to it. */
export function RoomPreview({ entries, muted, chat, slidesFileId, t }: Props) {
  const positionMs = useStore($positionMs)
  const playedEntries = useMemo(
    () => selectPlayed(entries, { mutedTracks: muted, lengthMs: Number.POSITIVE_INFINITY }),
    [entries, muted],
  )
  const { chatEntries, stageEntries } = useMemo(() => {
    const chatTypes = new Set(['message', 'question', 'answer'])
    return {
      chatEntries: playedEntries.filter(({ type }) => chatTypes.has(type)),
      stageEntries: playedEntries.filter(({ type }) => !chatTypes.has(type)),
    }
  }, [playedEntries])
  const room = foldRoomAt(initialRoomState(chat, slidesFileId), stageEntries, positionMs, 0)
  const messages = chatEntries
    .slice(0, chatEntries.findLastIndex(({ offsetMs }) => offsetMs <= positionMs) + 1)
    .slice(-MAX_MESSAGES)
  const isEmpty = room.buttons.length === 0 && room.handouts.length === 0 && !room.poll && messages.length === 0
  return (
    <section className="script-room" aria-label={t('autowebinar:script.room')} data-room-at="">
      <p className="text-muted text-sm">
        {t(`autowebinar:mode.${room.mode}`)}
        {room.slide.fileId && ` · ${t('autowebinar:script.slide', { page: room.slide.page })}`}
      </p>
      {room.buttons.map(({ buttonId, content }) => (
        <p key={buttonId} className="script-button" data-style={content.style}>
          {content.label}
        </p>
      ))}
      {room.poll && !room.poll.closed && (
        <div className="card-line p-2 text-sm">
          <p className="font-semibold">{room.poll.content.question}</p>
          {room.poll.content.options.map((option) => (
            <p key={option}>○ {option}</p>
          ))}
        </div>
      )}
      {room.handouts.map(({ handoutId, content }) => (
        <p key={handoutId} className="text-sm">
          📎 {content.title}
        </p>
      ))}
      <ul className="grid gap-1 text-sm">
        {messages.map((message) => (
          <li key={message.id}>
            <span className="text-muted tabular-nums">{formatTimecode(message.offsetMs)}</span>{' '}
            <strong>{'author' in message.payload ? message.payload.author?.name : ''}</strong> {formatEntry(message, t)}
          </li>
        ))}
      </ul>
      {isEmpty && <p className="text-muted text-sm">{t('autowebinar:script.quiet')}</p>}
    </section>
  )
}
