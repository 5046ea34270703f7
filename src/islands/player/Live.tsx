import { useStore } from '@nanostores/react'
import { AudioLines } from 'lucide-react'
import type { MediaStore } from 'media-chrome/dist/media-store/media-store.js'
import { useEffect, useRef, useState } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type Say, speak } from '#lib/core/shared/text/strings.ts'
import { Chrome } from './controls/Chrome.tsx'
import { type Engine, makeEngine } from './engine.ts'
import { readHabits } from './habits.ts'
import { Idle } from './Idle.tsx'
import { Making } from './Making.tsx'
import { keepPlace } from './place.ts'
import type { PlayerProps } from './player-props.ts'
import { announceMedia } from './session.ts'
import { startOf } from './start.ts'
import { keepStraight } from './straight.ts'
import { keepTickets, type Tickets } from './tickets.ts'
import { watchMedia } from './use-media.ts'
import { isBeingMade, isPlayable, shapeOf } from './view.ts'
import { watchMaking } from './watch-making.ts'

/** What plays. Its view is kept fresh: addresses before they expire, and what is made while somebody waits. */
export default function Live({ view: first, since, strings, locale, straight = false }: Omit<PlayerProps, 'begins'>) {
  const [tickets] = useState(() => keepTickets(first, since))
  const view = useStore(tickets.$view)
  // What somebody waited for does not begin to speak by itself.
  const [begun, setBegun] = useState(isPlayable(first))
  const [unreadable, setUnreadable] = useState(false)
  const playable = view.hls !== null || (isPlayable(view) && !unreadable)
  const say = speak(strings, locale)
  useEffect(() => () => tickets.stop(), [tickets])
  useEffect(() => (playable ? undefined : watchMaking(tickets)), [playable, tickets])
  if (!playable) return <Making view={view} say={say} />
  if (!begun) return <Idle view={view} say={say} onStart={() => setBegun(true)} />
  const wait = () => {
    setUnreadable(true)
    setBegun(false)
  }
  return <Playing tickets={tickets} say={say} locale={locale} wait={wait} straight={straight} />
}

interface Parts {
  media: HTMLMediaElement
  engine: Engine
  store: MediaStore
  /** Where it went on, in seconds. */
  from: number
}

interface PlayingProps {
  tickets: Tickets
  say: Say
  locale: Locale
  /** The browser cannot read the original, but something that it can read is being made. */
  wait: () => void
  straight: boolean
}

function Playing({ tickets, say, locale, wait, straight }: PlayingProps) {
  const view = useStore(tickets.$view)
  const root = useRef<HTMLElement>(null)
  const medium = useRef<HTMLVideoElement>(null)
  const [parts, setParts] = useState<Parts | null>(null)
  const waiting = useRef(wait)
  useEffect(() => {
    const { current: media } = medium
    const { current: frame } = root
    if (!media || !frame) return
    const opened = tickets.$view.get()
    const engine = makeEngine(media, tickets)
    const from = startOf(opened)
    // Set before something is loaded, both: loading would put the rate back.
    media.defaultPlaybackRate = media.playbackRate = readHabits().speed
    const unreadable = engine.$state.listen(({ failure }) => {
      if (failure === 'media' && isBeingMade(tickets.$view.get())) waiting.current()
    })
    const ends = [keepPlace(media, opened), announceMedia(media, opened), unreadable, engine.stop]
    if (straight) ends.push(keepStraight(media, from))
    setParts({ media, engine, store: watchMedia(media, frame), from })
    engine.start(from)
    frame.focus({ preventScroll: true })
    return () => {
      for (const end of ends) end()
    }
  }, [tickets, straight])

  const audio = view.kind === 'audio'
  const Medium = audio ? 'audio' : 'video'
  const title = say(audio ? 'player:label.audio' : 'player:label.video', { name: view.name })
  return (
    <section ref={root} className="player" data-kind={view.kind} aria-label={title} tabIndex={-1} style={shapeOf(view)}>
      <Medium
        ref={medium}
        className="player-media"
        aria-label={title}
        {...(!audio && { playsInline: true, poster: view.poster ?? undefined })}
      >
        {view.captions.map(({ lang, src }) => (
          <track key={lang} kind="captions" srcLang={lang} label={say(`player:lang.${lang}`)} src={src} />
        ))}
      </Medium>
      {parts && <SoundOnly engine={parts.engine} say={say} />}
      {parts && <Chrome {...parts} frame={root} view={view} say={say} locale={locale} />}
    </section>
  )
}

function SoundOnly({ engine, say }: { engine: Engine; say: Say }) {
  const { soundOnly } = useStore(engine.$state, { keys: ['soundOnly'] })
  if (!soundOnly) return null
  return (
    <p className="player-sound-only">
      <AudioLines size={40} strokeWidth={1.5} aria-hidden />
      {say('player:soundOnlyNow')}
    </p>
  )
}
