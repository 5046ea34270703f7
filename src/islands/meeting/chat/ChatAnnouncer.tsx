import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { useTranslation } from '../translation.ts'
import { $chat } from './chat.ts'

const EVERY_MS = 8000

/** Tells who listens to the page how much was said, now and then, in place of every message. */
export function ChatHeard({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { message } = useStore($chat)
  const [words, setWords] = useState('')
  const latest = useRef(message)
  latest.current = message

  useEffect(() => {
    let known = latest.current.length
    const timer = setInterval(() => {
      const all = latest.current
      const fresh = all.slice(known).filter(({ authorId }) => authorId !== view.me.personId)
      known = all.length
      setWords(fresh.length > 0 ? t('meeting:chat.heard', { count: fresh.length }) : '')
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [t, view.me.personId])

  return (
    <p className="sr-only" aria-live="polite">
      {words}
    </p>
  )
}
