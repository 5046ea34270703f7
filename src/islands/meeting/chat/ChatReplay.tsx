import './chat.css'
import { useEffect, useMemo, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { api } from '#islands/stores/api.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import { REPLAY_PAGE_SIZE } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { useVideoPosition } from '../automated/use-video-position.ts'
import { createTranslation, TranslationContext } from '../translation.ts'
import { ChatList } from './ChatList.tsx'
import { ChatMessage } from './ChatMessage.tsx'
import { addReplayPage, type LoadedReplay, messagesUntil, nextReplayOffset } from './chat-replay.ts'

export default asIsland('replayChat', ChatReplay)

interface Props {
  ticket: string
  /** The film's second of an event is its offset and this, in milliseconds. */
  filmOffsetMs: number
  strings: Strings
  locale: Locale
}

const NOBODY: RoomPerson = {
  personId: '',
  name: '',
  role: 'viewer',
  kind: 'guest',
  locale: 'uk',
  mutedUntil: null,
  isolated: false,
  stage: 'off',
}

/** The chat as it was, beside the film: message by message at its second; a message leads to its second. */
function ChatReplay({ ticket, filmOffsetMs, strings, locale }: Props) {
  const words = useMemo(() => createTranslation(strings, locale), [strings, locale])
  const offsetMs = useVideoPosition() - filmOffsetMs
  const [part, setPart] = useState<LoadedReplay | null>(null)
  const reading = useRef(false)

  useEffect(() => {
    const fromMs = nextReplayOffset(part, offsetMs)
    if (fromMs === null || reading.current) return
    reading.current = true
    api.meeting
      .listMessages({ ticket, kind: 'message', fromMs }, { context: { isQuiet: true } })
      .then(({ messages }) => {
        reading.current = false
        setPart((known) => addReplayPage(known, messages, { fromMs, full: messages.length >= REPLAY_PAGE_SIZE }))
      })
      .catch(() => {
        reading.current = false
      })
  }, [part, offsetMs, ticket])

  const said = messagesUntil(part, offsetMs)
  const seek = (to: number) => {
    const video = document.querySelector<HTMLVideoElement>('[data-player] video')
    if (video) video.currentTime = Math.max(0, (to + filmOffsetMs) / 1000)
  }
  return (
    <TranslationContext value={words}>
      <section className="chat-replay" aria-label={words.t('meeting:chat.list')}>
        <ChatList
          label={words.t('meeting:chat.list')}
          ids={said.map(({ messageId }) => messageId)}
          row={(index) => {
            const message = said[index]
            return message ? (
              <ChatMessage message={message} me={NOBODY} pinned={false} seek={seek} run={ignore} reply={ignore} />
            ) : null
          }}
          empty={words.t('meeting:finished.quiet')}
          older={null}
        />
      </section>
    </TranslationContext>
  )
}

const ignore = () => {}
