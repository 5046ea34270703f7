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
  seatToken: string
  /** Added to an event's offset to get its position in the recording, in milliseconds. */
  videoOffsetMs: number
  strings: Strings
  locale: Locale
}

const ANONYMOUS_VIEWER: RoomPerson = {
  personId: '',
  name: '',
  role: 'viewer',
  kind: 'guest',
  locale: 'uk',
  mutedUntil: null,
  isolated: false,
  stage: 'off',
}

/** The chat next to the recording: messages appear at their offset, and a message's time seeks the recording to it. */
function ChatReplay({ seatToken, videoOffsetMs, strings, locale }: Props) {
  const translation = useMemo(() => createTranslation(strings, locale), [strings, locale])
  const offsetMs = useVideoPosition() - videoOffsetMs
  const [loaded, setLoaded] = useState<LoadedReplay | null>(null)
  const isLoading = useRef(false)

  useEffect(() => {
    const fromMs = nextReplayOffset(loaded, offsetMs)
    if (fromMs === null || isLoading.current) return
    isLoading.current = true
    api.meeting
      .listMessages({ seatToken, kind: 'message', fromMs }, { context: { isQuiet: true } })
      .then(({ messages }) => {
        isLoading.current = false
        setLoaded((known) => addReplayPage(known, messages, { fromMs, full: messages.length >= REPLAY_PAGE_SIZE }))
      })
      .catch(() => {
        isLoading.current = false
      })
  }, [loaded, offsetMs, seatToken])

  const messagesSoFar = messagesUntil(loaded, offsetMs)
  const seek = (targetOffsetMs: number) => {
    const video = document.querySelector<HTMLVideoElement>('[data-player] video')
    if (video) video.currentTime = Math.max(0, (targetOffsetMs + videoOffsetMs) / 1000)
  }
  return (
    <TranslationContext value={translation}>
      <section className="chat-replay" aria-label={translation.t('meeting:chat.list')}>
        <ChatList
          label={translation.t('meeting:chat.list')}
          ids={messagesSoFar.map(({ messageId }) => messageId)}
          renderRow={(index) => {
            const message = messagesSoFar[index]
            return message ? (
              <ChatMessage
                message={message}
                me={ANONYMOUS_VIEWER}
                isPinned={false}
                seek={seek}
                run={ignore}
                reply={ignore}
              />
            ) : null
          }}
          emptyText={translation.t('meeting:finished.quiet')}
          loadOlder={null}
        />
      </section>
    </TranslationContext>
  )
}

const ignore = () => {}
