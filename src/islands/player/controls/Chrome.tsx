import { useStore } from '@nanostores/react'
import { Play } from 'lucide-react'
import type { MediaStore } from 'media-chrome/dist/media-store/media-store.js'
import { type RefObject, useEffect, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { Engine } from '../engine.ts'
import { clock } from '../time.ts'
import { useMedia } from '../use-media.ts'
import { actsOf, type Said } from './acts.ts'
import { Bar } from './Bar.tsx'
import { actOf } from './keys.ts'
import { Touch } from './Touch.tsx'
import { useActive } from './use-active.ts'

interface Props {
  media: HTMLMediaElement
  engine: Engine
  store: MediaStore
  frame: RefObject<HTMLElement | null>
  from: number
  view: PlaybackView
  say: Say
  locale: Locale
}

/** All that lies over the picture. */
export function Chrome({ media, engine, store, frame, from, view, say, locale }: Props) {
  const [state, ask] = useMedia(store)
  const { failure } = useStore(engine.$state, { keys: ['failure'] })
  const [said, setSaid] = useState<Said>({ text: '', turn: 0 })
  const tell = (text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 }))
  const acts = actsOf({ media, ask, state, view, say, locale, tell })
  const playing = state.mediaPaused === false
  useActive(frame, playing && failure === null)

  useEffect(() => {
    const { current: target } = frame
    if (!target) return
    const press = (event: KeyboardEvent) => {
      const act = actOf(event)
      if (!act) return
      event.preventDefault()
      // Whatever else goes by keys around the player: a gallery by arrows, a queue by J and K.
      event.stopPropagation()
      act(acts)
    }
    target.addEventListener('keydown', press)
    return () => target.removeEventListener('keydown', press)
  })

  const video = view.kind === 'video'
  return (
    <>
      {video && <Touch frame={frame} acts={acts} />}
      {video && !playing && !failure && <BigPlay say={say} onPlay={acts.toggle} />}
      {video && state.mediaLoading && playing && (
        <span className="player-wait loading loading-spinner" aria-hidden="true" />
      )}
      <Bubble said={said} />
      {from > 0 && <Continued from={from} say={say} onAgain={acts.again} />}
      <Bar media={media} engine={engine} state={state} acts={acts} view={view} say={say} locale={locale} />
      {failure && (
        <div className="player-failed" role="alert">
          <p className="font-semibold">{say('player:failed.title')}</p>
          <p>{say(`player:failed.${failure}`)}</p>
          <Button small onClick={engine.retry}>
            {say('player:retry')}
          </Button>
        </div>
      )}
    </>
  )
}

/** The same as the bar's button, larger; keyboards and screen readers have that one. */
function BigPlay({ say, onPlay }: { say: Say; onPlay: () => void }) {
  return (
    <button
      type="button"
      className="player-big"
      tabIndex={-1}
      aria-hidden="true"
      title={say('player:play')}
      onClick={onPlay}
    >
      <Play size={28} fill="currentColor" />
    </button>
  )
}

const BUBBLE_MS = 1400

/** What a key has done: seen for a moment, and heard. */
function Bubble({ said }: { said: Said }) {
  const [shown, setShown] = useState('')
  useEffect(() => {
    setShown(said.text)
    const timer = setTimeout(() => setShown(''), BUBBLE_MS)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <p className="player-said" role="status">
      {shown}
    </p>
  )
}

const CONTINUED_MS = 7000

function Continued({ from, say, onAgain }: { from: number; say: Say; onAgain: () => void }) {
  const [shown, setShown] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), CONTINUED_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return null
  return (
    <p className="player-continued">
      <span>{say('player:continued', { at: clock(from) })}</span>
      <button
        type="button"
        onClick={() => {
          setShown(false)
          onAgain()
        }}
      >
        {say('player:fromStart')}
      </button>
    </p>
  )
}
