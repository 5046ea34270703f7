import { Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { Making } from './Making.tsx'
import { startOf } from './start.ts'
import { clock } from './time.ts'
import { shapeOf, wordsOf } from './view.ts'

interface Props {
  view: PlaybackView
  say: Say
  coming?: boolean
  onStart?: () => void
}

/**
 * Before playing: the server's HTML too. Without a script the browser's own controls are there; with one, a picture and
 * a button that says where it will go on.
 */
export function Idle({ view, say, coming = false, onStart }: Props) {
  const [ready, setReady] = useState(false)
  const [from, setFrom] = useState(view.position?.seconds ?? 0)
  useEffect(() => {
    setReady(true)
    setFrom(startOf(view))
  }, [view])
  const sources = [...(view.hls ? [{ src: view.hls, type: 'application/vnd.apple.mpegurl' }] : []), ...view.sources]
  if (sources.length === 0) return <Making view={view} say={say} />
  const Medium = view.kind
  const title = say(view.kind === 'audio' ? 'player:label.audio' : 'player:label.video', { name: view.name })
  return (
    <section className="player" data-kind={view.kind} data-idle="" aria-label={title} style={shapeOf(view)}>
      {ready ? (
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
            <track key={lang} kind="captions" srcLang={lang} label={say(`player:lang.${lang}`)} src={src} />
          ))}
        </Medium>
      )}
      <button type="button" className="player-start" hidden={!ready} aria-busy={coming} data-start="" onClick={onStart}>
        <span className="player-start-mark">
          {coming ? <span className="loading loading-spinner" /> : <Play size={28} fill="currentColor" aria-hidden />}
        </span>
        <span data-words="">{wordsOf(say, view, from)}</span>
        {view.kind === 'audio' && <span className="player-name">{view.name}</span>}
        {view.duration !== null && <span className="player-length tabular">{clock(view.duration)}</span>}
      </button>
    </section>
  )
}
