import { useStore } from '@nanostores/react'
import {
  Captions,
  CaptionsOff,
  FastForward,
  List,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  Rewind,
  Settings2,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { Engine } from '../engine.ts'
import { readHabits } from '../habits.ts'
import { clock } from '../time.ts'
import type { Media } from '../use-media.ts'
import { type Acts, showCaptions, shownCaptions } from './acts.ts'
import { Chapters } from './Chapters.tsx'
import { Scrub } from './Scrub.tsx'
import { Settings } from './Settings.tsx'

interface Props {
  media: HTMLMediaElement
  engine: Engine
  state: Media
  acts: Acts
  view: PlaybackView
  say: Say
  locale: Locale
}

/** The line of controls under the picture, or the whole of a sound. */
export function Bar({ media, engine, state, acts, view, say, locale }: Props) {
  const [panel, setPanel] = useState<'settings' | 'chapters' | null>(null)
  const { soundOnly } = useStore(engine.$state, { keys: ['soundOnly'] })
  const toggle = (one: 'settings' | 'chapters') => setPanel(panel === one ? null : one)
  const close = () => setPanel(null)
  const captions = shownCaptions(media)
  useEffect(() => {
    const wish = readHabits().captions
    if (wish) showCaptions(media, wish)
  }, [media])

  const playing = state.mediaPaused === false
  const video = view.kind === 'video'
  const duration = state.mediaDuration || (view.duration ?? 0)
  const silent = state.mediaMuted || state.mediaVolume === 0
  const Loudness = silent ? VolumeX : (state.mediaVolume ?? 1) < 0.5 ? Volume1 : Volume2
  return (
    <div className="player-bar">
      {!video && <p className="player-name">{view.name}</p>}
      <Scrub state={state} acts={acts} view={view} say={say} duration={duration} />
      <div className="player-row">
        <Press label={say(playing ? 'player:pause' : 'player:play')} onPress={acts.toggle}>
          {playing ? <Pause size={20} fill="currentColor" /> : <Play size={20} fill="currentColor" />}
        </Press>
        <Press wide label={say('player:back', { count: 10 })} onPress={() => acts.step(-10)}>
          <Rewind size={20} />
        </Press>
        <Press wide label={say('player:forward', { count: 10 })} onPress={() => acts.step(10)}>
          <FastForward size={20} />
        </Press>
        <Press label={say(silent ? 'player:unmute' : 'player:mute')} onPress={acts.mute}>
          <Loudness size={20} />
        </Press>
        {!state.mediaVolumeUnavailable && (
          <input
            type="range"
            className="player-volume"
            data-volume=""
            aria-label={say('player:volume')}
            min={0}
            max={1}
            step={0.05}
            value={silent ? 0 : (state.mediaVolume ?? 1)}
            onChange={(event) => acts.volume(event.currentTarget.valueAsNumber)}
          />
        )}
        <span className="player-time tabular">
          {clock(state.mediaCurrentTime ?? 0)}
          <span data-long={duration >= 3600 || undefined}>{` / ${clock(duration)}`}</span>
        </span>
        <span className="player-gap" />
        {view.captions.length > 0 && (
          <Press
            label={say(captions ? 'player:captionsOff' : 'player:captionsOn')}
            pressed={captions !== null}
            onPress={acts.toggleCaptions}
          >
            {captions ? <Captions size={20} /> : <CaptionsOff size={20} />}
          </Press>
        )}
        {view.chapters.length > 0 && (
          <Press label={say('player:chapters')} opens={panel === 'chapters'} onPress={() => toggle('chapters')}>
            <List size={20} />
          </Press>
        )}
        <Press label={say('player:settings')} opens={panel === 'settings'} onPress={() => toggle('settings')}>
          <Settings2 size={20} />
        </Press>
        {video && !state.mediaPipUnavailable && !soundOnly && (
          <Press wide label={say(state.mediaIsPip ? 'player:pipLeave' : 'player:pip')} onPress={acts.pip}>
            <PictureInPicture2 size={20} />
          </Press>
        )}
        {video && !state.mediaFullscreenUnavailable && (
          <Press label={say(state.mediaIsFullscreen ? 'player:fullLeave' : 'player:full')} onPress={acts.full}>
            {state.mediaIsFullscreen ? <Minimize size={20} /> : <Maximize size={20} />}
          </Press>
        )}
      </div>
      {panel === 'settings' && (
        <Settings
          media={media}
          engine={engine}
          state={state}
          acts={acts}
          view={view}
          say={say}
          locale={locale}
          close={close}
        />
      )}
      {panel === 'chapters' && <Chapters state={state} acts={acts} view={view} say={say} close={close} />}
    </div>
  )
}

interface PressProps {
  label: string
  children: ReactNode
  onPress: () => void
  /** Only where there is room. */
  wide?: boolean
  pressed?: boolean
  opens?: boolean
}

function Press({ label, children, onPress, wide, pressed, opens }: PressProps) {
  return (
    <button
      type="button"
      className="player-press"
      data-wide={wide || undefined}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={opens}
      data-opener={opens === undefined ? undefined : ''}
      onClick={onPress}
    >
      {children}
    </button>
  )
}
