import { formatClockOffset } from '#lib/core/shared/text/clock.ts'
import '../chat/chat.css'
import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { buttonAddress } from '#lib/workshop/session/button-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { $clicksByButton, $state, roomApi } from '../room.ts'
import type { RoomProps } from '../room-props.ts'
import { useTranslation } from '../translation.ts'
import { useNow } from '../use-now.ts'

type ShownButton = RoomState['buttons'][number]

/** Buttons that staff show, at one of their placements. A view and a click are reported for the statistics. */
export function ButtonBar({ view, placement }: RoomProps & { placement: ShownButton['content']['placement'] }) {
  const { t } = useTranslation()
  const { buttons } = useStore($state) ?? view.state
  const placedButtons = buttons.filter(({ content }) => content.placement === placement)
  if (placedButtons.length === 0) return null
  return (
    <section className="offers" data-place={placement} aria-label={t('meeting:button.label')}>
      {placedButtons.map((button) => (
        <OfferButton key={`${button.buttonId} ${button.shownAt}`} button={button} view={view} />
      ))}
    </section>
  )
}

const BUTTON_CLASSES = { primary: 'btn-primary', accent: 'btn-accent', outline: 'btn-outline' } as const

function OfferButton({ button, view }: { button: ShownButton; view: RoomProps['view'] }) {
  const { t } = useTranslation()
  const link = useRef<HTMLAnchorElement>(null)
  const now = useNow(view)
  const { buttonId, content } = button
  const { label, url, style, quantityLeft } = content
  const endsAt = endsAtOf(button)
  const clickCount = useStore($clicksByButton)[buttonId] ?? 0
  const remainingMs = endsAt === null ? null : Math.max(0, endsAt - now)

  const { sessionId } = view
  useEffect(() => {
    // The host is known in the browser only.
    if (link.current) link.current.href = buttonAddress(url, { host: location.host, sessionId, buttonId })
  }, [url, sessionId, buttonId])
  useEffect(() => {
    const element = link.current
    if (!element) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting) || document.hidden) return
      observer.disconnect()
      roomApi.sawButton({ buttonId }).catch(() => {})
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [buttonId])

  return (
    <p className="offer">
      <a
        ref={link}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        className={`btn ${BUTTON_CLASSES[style]}`}
        onClick={() => void roomApi.clickButton({ buttonId }).catch(() => {})}
        onAuxClick={() => void roomApi.clickButton({ buttonId }).catch(() => {})}
      >
        {label}
      </a>
      {remainingMs !== null && (
        <span className="offer-note" role="timer">
          {remainingMs > 0
            ? t('meeting:button.ends', { time: formatClockOffset(remainingMs) })
            : t('meeting:button.over')}
        </span>
      )}
      {quantityLeft !== null && (
        <span className="offer-note">
          {t('meeting:button.left', { count: Math.max(0, quantityLeft - clickCount) })}
        </span>
      )}
    </p>
  )
}

function endsAtOf({ content, shownAt }: ShownButton): number | null {
  const ends = [
    content.countdownTo === null ? null : Date.parse(content.countdownTo),
    content.countdownSeconds === null ? null : shownAt + content.countdownSeconds * 1000,
  ].filter((end) => end !== null)
  return ends.length > 0 ? Math.min(...ends) : null
}
