import { useStore } from '@nanostores/react'
import { AudioLines } from 'lucide-react'
import type { MediaStore } from 'media-chrome/dist/media-store/media-store.js'
import { useEffect, useRef, useState } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import { PlayerOverlay } from './controls/PlayerOverlay.tsx'
import { createEngine, type PlaybackEngine } from './engine.ts'
import { followTranscoding } from './follow-transcoding.ts'
import { lockForwardSeek } from './lock-forward-seek.ts'
import { bindMediaSession } from './media-session.ts'
import { PlayerPoster } from './PlayerPoster.tsx'
import type { PlayerProps } from './player-props.ts'
import { readPreferences } from './preferences.ts'
import { createSignedUrls, type SignedUrls } from './signed-urls.ts'
import { startPosition } from './start-position.ts'
import { TranscodingStatus } from './TranscodingStatus.tsx'
import { trackPosition } from './track-position.ts'
import { createStore } from './use-media.ts'
import { aspectRatioOf, isPlayable, isTranscoding } from './view.ts'

/** The playing media. Its view is renewed before addresses expire and while it is transcoded. */
export default function LivePlayer({
  view: initialView,
  viewCreatedAtMs,
  strings,
  locale,
  straight = false,
}: Omit<PlayerProps, 'autoPlay'>) {
  const [signedUrls] = useState(() => createSignedUrls(initialView, viewCreatedAtMs))
  const view = useStore(signedUrls.$view)
  // Media that was not ready at first does not start automatically.
  const [isStarted, setIsStarted] = useState(isPlayable(initialView))
  const [isUnreadable, setUnreadable] = useState(false)
  const canPlay = view.hls !== null || (isPlayable(view) && !isUnreadable)
  const t = createTranslator(strings, locale)
  useEffect(() => () => signedUrls.stop(), [signedUrls])
  useEffect(() => (canPlay ? undefined : followTranscoding(signedUrls)), [canPlay, signedUrls])
  if (!canPlay) return <TranscodingStatus view={view} t={t} />
  if (!isStarted) return <PlayerPoster view={view} t={t} onStart={() => setIsStarted(true)} />
  const waitForTranscoding = () => {
    setUnreadable(true)
    setIsStarted(false)
  }
  return (
    <Playing
      signedUrls={signedUrls}
      t={t}
      locale={locale}
      onUnreadable={waitForTranscoding}
      isForwardLocked={straight}
    />
  )
}

interface PlayingMedia {
  media: HTMLMediaElement
  engine: PlaybackEngine
  store: MediaStore
  startSeconds: number
}

interface PlayingProps {
  signedUrls: SignedUrls
  t: Translate
  locale: Locale
  /** The browser cannot play the original, but a playable version is being encoded. */
  onUnreadable: () => void
  isForwardLocked: boolean
}

function Playing({ signedUrls, t, locale, onUnreadable, isForwardLocked }: PlayingProps) {
  const view = useStore(signedUrls.$view)
  const root = useRef<HTMLElement>(null)
  const medium = useRef<HTMLVideoElement>(null)
  const [parts, setParts] = useState<PlayingMedia | null>(null)
  const latestOnUnreadable = useRef(onUnreadable)
  useEffect(() => {
    const { current: media } = medium
    const { current: frame } = root
    if (!media || !frame) return
    const initialView = signedUrls.$view.get()
    const engine = createEngine(media, signedUrls)
    const startSeconds = startPosition(initialView)
    // Both are set before media is loaded, because loading resets the rate.
    media.defaultPlaybackRate = media.playbackRate = readPreferences().speed
    const stopFailureListener = engine.$state.listen(({ failure }) => {
      if (failure === 'media' && isTranscoding(signedUrls.$view.get())) latestOnUnreadable.current()
    })
    const cleanups = [
      trackPosition(media, initialView),
      bindMediaSession(media, initialView),
      stopFailureListener,
      engine.stop,
    ]
    if (isForwardLocked) cleanups.push(lockForwardSeek(media, startSeconds))
    setParts({ media, engine, store: createStore(media, frame), startSeconds })
    engine.start(startSeconds)
    frame.focus({ preventScroll: true })
    return () => {
      for (const end of cleanups) end()
    }
  }, [signedUrls, isForwardLocked])

  const isAudio = view.kind === 'audio'
  const Medium = isAudio ? 'audio' : 'video'
  const title = t(isAudio ? 'player:label.audio' : 'player:label.video', { name: view.name })
  return (
    <section
      ref={root}
      className="player"
      data-kind={view.kind}
      aria-label={title}
      tabIndex={-1}
      style={aspectRatioOf(view)}
    >
      <Medium
        ref={medium}
        className="player-media"
        aria-label={title}
        {...(!isAudio && { playsInline: true, poster: view.poster ?? undefined })}
      >
        {view.captions.map(({ lang, src }) => (
          <track key={lang} kind="captions" srcLang={lang} label={t(`player:lang.${lang}`)} src={src} />
        ))}
      </Medium>
      {parts && <AudioOnlyNotice engine={parts.engine} t={t} />}
      {parts && <PlayerOverlay {...parts} frame={root} view={view} t={t} locale={locale} />}
    </section>
  )
}

function AudioOnlyNotice({ engine, t }: { engine: PlaybackEngine; t: Translate }) {
  const { isAudioOnly } = useStore(engine.$state, { keys: ['isAudioOnly'] })
  if (!isAudioOnly) return null
  return (
    <p className="player-sound-only">
      <AudioLines size={40} strokeWidth={1.5} aria-hidden />
      {t('player:soundOnlyNow')}
    </p>
  )
}
