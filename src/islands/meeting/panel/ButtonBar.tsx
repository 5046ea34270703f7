import '../chat/chat.css'
import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { formatOffset } from '../chat/chat-format.ts'
import { $clicksByButton, $state, roomApi } from '../room.ts'
import type { RoomProps } from '../room-props.ts'
import { useTranslation } from '../translation.ts'
import { useNow } from '../use-now.ts'

type Shown = RoomState['buttons'][number]

/** The buttons that the staff show, at one of their places. That one was seen, and clicked, is told once a showing. */
export function ButtonBar({ view, placement }: RoomProps & { placement: Shown['content']['placement'] }) {
  const { t } = useTranslation()
  const { buttons } = useStore($state) ?? view.state
  const here = buttons.filter(({ content }) => content.placement === placement)
  if (here.length === 0) return null
  return (
    <section className="offers" data-place={placement} aria-label={t('meeting:button.label')}>
      {here.map((button) => (
        <Offer key={`${button.buttonId} ${button.shownAt}`} button={button} view={view} />
      ))}
    </section>
  )
}

const LOOKS = { primary: 'btn-primary', accent: 'btn-accent', outline: 'btn-outline' } as const

function Offer({ button, view }: { button: Shown; view: RoomProps['view'] }) {
  const { t } = useTranslation()
  const link = useRef<HTMLAnchorElement>(null)
  const now = useNow(view)
  const { buttonId, content } = button
  const { label, url, style, quantityLeft } = content
  const end = endOf(button)
  const taken = useStore($clicksByButton)[buttonId] ?? 0
  const left = end === null ? null : Math.max(0, end - now)

  useEffect(() => {
    const element = link.current
    if (!element) return
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting) || document.hidden) return
      watch.disconnect()
      roomApi.sawButton({ buttonId }).catch(() => {})
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [buttonId])

  return (
    <p className="offer">
      <a
        ref={link}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        className={`btn ${LOOKS[style]}`}
        onClick={() => void roomApi.clickButton({ buttonId }).catch(() => {})}
        onAuxClick={() => void roomApi.clickButton({ buttonId }).catch(() => {})}
      >
        {label}
      </a>
      {left !== null && (
        <span className="offer-note" role="timer">
          {left > 0 ? t('meeting:button.ends', { time: formatOffset(left) }) : t('meeting:button.over')}
        </span>
      )}
      {quantityLeft !== null && (
        <span className="offer-note">{t('meeting:button.left', { count: Math.max(0, quantityLeft - taken) })}</span>
      )}
    </p>
  )
}

function endOf({ content, shownAt }: Shown): number | null {
  const ends = [
    content.countdownTo === null ? null : Date.parse(content.countdownTo),
    content.countdownSeconds === null ? null : shownAt + content.countdownSeconds * 1000,
  ].filter((end) => end !== null)
  return ends.length > 0 ? Math.min(...ends) : null
}
