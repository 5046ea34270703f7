import { Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { startPosition } from './start-position.ts'
import { TranscodingStatus } from './TranscodingStatus.tsx'
import { aspectRatioOf, startLabel } from './view.ts'

interface Props {
  view: PlaybackView
  t: Translate
  isLoading?: boolean
  onStart?: () => void
}

/**
 * The player before it is started; also rendered on the server. Without scripts the browser's controls are shown; with
 * them, a poster and a button with the resume position.
 */
export function PlayerPoster({ view, t, isLoading = false, onStart }: Props) {
  const [isHydrated, setIsHydrated] = useState(false)
  const [startSeconds, setStartSeconds] = useState(view.position?.seconds ?? 0)
  useEffect(() => {
    setIsHydrated(true)
    setStartSeconds(startPosition(view))
  }, [view])
  const sources = [...(view.hls ? [{ src: view.hls, type: 'application/vnd.apple.mpegurl' }] : []), ...view.sources]
  if (sources.length === 0) return <TranscodingStatus view={view} t={t} />
  const Medium = view.kind
  const title = t(view.kind === 'audio' ? 'player:label.audio' : 'player:label.video', { name: view.name })
  return (
    <section className="player" data-kind={view.kind} data-idle="" aria-label={title} style={aspectRatioOf(view)}>
      {isHydrated ? (
        view.poster && <img className="player-media" src={view.poster} alt="" />
      ) : (
        <Medium
          className="player-media"
          aria-label={title}
          preload="none"
          controls
          {...(view.kind === 'video' && { playsInline: true, poster: view.poster ?? undefined })}
        >
          {sources.map(({ src, type }) => (
            <source key={src} src={src} type={type} />
          ))}
          {view.captions.map(({ lang, src }) => (
            <track key={lang} kind="captions" srcLang={lang} label={t(`player:lang.${lang}`)} src={src} />
          ))}
        </Medium>
      )}
      <button
        type="button"
        className="player-start"
        hidden={!isHydrated}
        aria-busy={isLoading}
        data-start=""
        onClick={onStart}
      >
        <span className="player-start-mark">
          {isLoading ? (
            <span className="loading loading-spinner" />
          ) : (
            <Play size={28} fill="currentColor" aria-hidden />
          )}
        </span>
        <span data-words="">{startLabel(t, view, startSeconds)}</span>
        {view.kind === 'audio' && <span className="player-name">{view.name}</span>}
        {view.duration !== null && <span className="player-length tabular">{formatClock(view.duration)}</span>}
      </button>
    </section>
  )
}
