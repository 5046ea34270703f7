import { useStore } from '@nanostores/react'
import { useMemo } from 'react'
import { foldRoomAt, selectPlayed } from '#lib/autowebinar/play-rules.ts'
import type { ScriptEntry } from '#lib/autowebinar/schema.ts'
import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'
import { clockOf, sayAbout } from './script.ts'
import { $at } from './script-store.ts'

interface Props {
  lines: readonly ScriptEntry[]
  muted: readonly Track[]
  chat: ChatSettings
  slidesFileId: string | null
  t: Translate
}

const LAST = 6

/** What a viewer has on the screen at the film's second: the room folded up to it. */
export function RoomAt({ lines, muted, chat, slidesFileId, t }: Props) {
  const at = useStore($at)
  const shown = useMemo(
    () => selectPlayed(lines, { mutedTracks: muted, lengthMs: Number.POSITIVE_INFINITY }),
    [lines, muted],
  )
  const { talk, acts } = useMemo(() => {
    const spoken = new Set(['message', 'question', 'answer'])
    return { talk: shown.filter(({ type }) => spoken.has(type)), acts: shown.filter(({ type }) => !spoken.has(type)) }
  }, [shown])
  const room = foldRoomAt(initialRoomState(chat, slidesFileId), acts, at, 0)
  const said = talk.slice(0, talk.findLastIndex(({ offsetMs }) => offsetMs <= at) + 1).slice(-LAST)
  const nothing = room.buttons.length === 0 && room.handouts.length === 0 && !room.poll && said.length === 0
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
        {said.map((line) => (
          <li key={line.id}>
            <span className="text-muted tabular-nums">{clockOf(line.offsetMs)}</span>{' '}
            <strong>{'author' in line.payload ? line.payload.author?.name : ''}</strong> {sayAbout(line, t)}
          </li>
        ))}
      </ul>
      {nothing && <p className="text-muted text-sm">{t('autowebinar:script.quiet')}</p>}
    </section>
  )
}
