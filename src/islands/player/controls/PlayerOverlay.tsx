import { useStore } from '@nanostores/react'
import { Play } from 'lucide-react'
import type { MediaStore } from 'media-chrome/dist/media-store/media-store.js'
import { type RefObject, useEffect, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { PlaybackEngine } from '../engine.ts'
import { useMedia } from '../use-media.ts'
import { type ActionMessage, createPlayerActions } from './actions.ts'
import { ControlBar } from './ControlBar.tsx'
import { actionOfKey } from './keys.ts'
import { TouchLayer } from './TouchLayer.tsx'
import { useControlVisibility } from './use-control-visibility.ts'

interface Props {
  media: HTMLMediaElement
  engine: PlaybackEngine
  store: MediaStore
  frame: RefObject<HTMLElement | null>
  startSeconds: number
  view: PlaybackView
  t: Translate
  locale: Locale
}

/** The layers over the video. */
export function PlayerOverlay({ media, engine, store, frame, startSeconds, view, t, locale }: Props) {
  const [state, dispatch] = useMedia(store)
  const { failure } = useStore(engine.$state, { keys: ['failure'] })
  const [message, setMessage] = useState<ActionMessage>({ text: '', sequence: 0 })
  const showMessage = (text: string) => setMessage(({ sequence }) => ({ text, sequence: sequence + 1 }))
  const actions = createPlayerActions({ media, dispatch, state, view, t, locale, showMessage })
  const isPlaying = state.mediaPaused === false
  useControlVisibility(frame, isPlaying && failure === null)

  useEffect(() => {
    const { current: target } = frame
    if (!target) return
    const onKeyDown = (event: KeyboardEvent) => {
      const action = actionOfKey(event)
      if (!action) return
      event.preventDefault()
      // Keeps the event from other handlers around the player: arrow keys of a gallery, J and K of a queue.
      event.stopPropagation()
      action(actions)
    }
    target.addEventListener('keydown', onKeyDown)
    return () => target.removeEventListener('keydown', onKeyDown)
  })

  const isVideo = view.kind === 'video'
  return (
    <>
      {isVideo && <TouchLayer frame={frame} actions={actions} />}
      {isVideo && !isPlaying && !failure && <BigPlay t={t} onPlay={actions.togglePlay} />}
      {isVideo && state.mediaLoading && isPlaying && (
        <span className="player-wait loading loading-spinner" aria-hidden="true" />
      )}
      <ActionBubble message={message} />
      {startSeconds > 0 && <ResumeNotice startSeconds={startSeconds} t={t} onRestart={actions.restart} />}
      <ControlBar media={media} engine={engine} state={state} actions={actions} view={view} t={t} locale={locale} />
      {failure && (
        <div className="player-failed" role="alert">
          <p className="font-semibold">{t('player:failed.title')}</p>
          <p>{t(`player:failed.${failure}`)}</p>
          <Button small onClick={engine.retry}>
            {t('player:retry')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Same function as the button of the bar, but larger; keyboard and screen reader users use the bar. */
function BigPlay({ t, onPlay }: { t: Translate; onPlay: () => void }) {
  return (
    <button
      type="button"
      className="player-big"
      tabIndex={-1}
      aria-hidden="true"
      title={t('player:play')}
      onClick={onPlay}
    >
      <Play size={28} fill="currentColor" />
    </button>
  )
}

const MESSAGE_MS = 1400

/** The action of a key: shown for a moment, and announced to screen readers. */
function ActionBubble({ message }: { message: ActionMessage }) {
  const [shownText, setShownText] = useState('')
  useEffect(() => {
    setShownText(message.text)
    const timer = setTimeout(() => setShownText(''), MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <p className="player-announcement" role="status">
      {shownText}
    </p>
  )
}

const RESUME_NOTICE_MS = 7000

function ResumeNotice({ startSeconds, t, onRestart }: { startSeconds: number; t: Translate; onRestart: () => void }) {
  const [shown, setShownText] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setShownText(false), RESUME_NOTICE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return null
  return (
    <p className="player-continued">
      <span>{t('player:continued', { at: formatClock(startSeconds) })}</span>
      <button
        type="button"
        onClick={() => {
          setShownText(false)
          onRestart()
        }}
      >
        {t('player:fromStart')}
      </button>
    </p>
  )
}
