import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { useTranslation } from '../translation.ts'
import { $chat } from './chat.ts'

const ANNOUNCE_MS = 8000

/** Announces the number of new messages to screen readers at intervals, instead of every message. */
export function ChatAnnouncer({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { message } = useStore($chat)
  const [announcement, setAnnouncement] = useState('')
  const latest = useRef(message)
  latest.current = message

  useEffect(() => {
    let knownCount = latest.current.length
    const timer = setInterval(() => {
      const all = latest.current
      const newMessages = all.slice(knownCount).filter(({ authorId }) => authorId !== view.me.personId)
      knownCount = all.length
      setAnnouncement(newMessages.length > 0 ? t('meeting:chat.announcement', { count: newMessages.length }) : '')
    }, ANNOUNCE_MS)
    return () => clearInterval(timer)
  }, [t, view.me.personId])

  return (
    <p className="sr-only" aria-live="polite">
      {announcement}
    </p>
  )
}
