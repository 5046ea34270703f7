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
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { PlaybackEngine } from '../engine.ts'
import { readPreferences } from '../preferences.ts'
import type { Media } from '../use-media.ts'
import { type PlayerActions, showCaptions, shownCaptions } from './actions.ts'
import { Chapters } from './Chapters.tsx'
import { SeekBar } from './SeekBar.tsx'
import { Settings } from './Settings.tsx'

interface Props {
  media: HTMLMediaElement
  engine: PlaybackEngine
  state: Media
  actions: PlayerActions
  view: PlaybackView
  t: Translate
  locale: Locale
}

/** The controls below a video, or the whole player of an audio file. */
export function ControlBar({ media, engine, state, actions, view, t, locale }: Props) {
  const [panel, setPanel] = useState<'settings' | 'chapters' | null>(null)
  const { isAudioOnly } = useStore(engine.$state, { keys: ['isAudioOnly'] })
  const toggle = (target: 'settings' | 'chapters') => setPanel(panel === target ? null : target)
  const close = () => setPanel(null)
  const captions = shownCaptions(media)
  useEffect(() => {
    const preferredCaptions = readPreferences().captions
    if (preferredCaptions) showCaptions(media, preferredCaptions)
  }, [media])

  const isPlaying = state.mediaPaused === false
  const isVideo = view.kind === 'video'
  const duration = state.mediaDuration || (view.duration ?? 0)
  const isMuted = state.mediaMuted || state.mediaVolume === 0
  const VolumeIcon = isMuted ? VolumeX : (state.mediaVolume ?? 1) < 0.5 ? Volume1 : Volume2
  return (
    <div className="player-bar">
      {!isVideo && <p className="player-name">{view.name}</p>}
      <SeekBar state={state} actions={actions} view={view} t={t} duration={duration} />
      <div className="player-row">
        <ControlButton label={t(isPlaying ? 'player:pause' : 'player:play')} onPress={actions.togglePlay}>
          {isPlaying ? <Pause size={20} fill="currentColor" /> : <Play size={20} fill="currentColor" />}
        </ControlButton>
        <ControlButton needsWidth label={t('player:back', { count: 10 })} onPress={() => actions.seekBy(-10)}>
          <Rewind size={20} />
        </ControlButton>
        <ControlButton needsWidth label={t('player:forward', { count: 10 })} onPress={() => actions.seekBy(10)}>
          <FastForward size={20} />
        </ControlButton>
        <ControlButton label={t(isMuted ? 'player:unmute' : 'player:mute')} onPress={actions.toggleMute}>
          <VolumeIcon size={20} />
        </ControlButton>
        {!state.mediaVolumeUnavailable && (
          <input
            type="range"
            className="player-volume"
            data-volume=""
            aria-label={t('player:volume')}
            min={0}
            max={1}
            step={0.05}
            value={isMuted ? 0 : (state.mediaVolume ?? 1)}
            onChange={(event) => actions.setVolume(event.currentTarget.valueAsNumber)}
          />
        )}
        <span className="player-time tabular">
          {formatClock(state.mediaCurrentTime ?? 0)}
          <span data-long={duration >= 3600 || undefined}>{` / ${formatClock(duration)}`}</span>
        </span>
        <span className="player-gap" />
        {view.captions.length > 0 && (
          <ControlButton
            label={t(captions ? 'player:captionsOff' : 'player:captionsOn')}
            isPressed={captions !== null}
            onPress={actions.toggleCaptions}
          >
            {captions ? <Captions size={20} /> : <CaptionsOff size={20} />}
          </ControlButton>
        )}
        {view.chapters.length > 0 && (
          <ControlButton
            label={t('player:chapters')}
            isExpanded={panel === 'chapters'}
            onPress={() => toggle('chapters')}
          >
            <List size={20} />
          </ControlButton>
        )}
        <ControlButton
          label={t('player:settings')}
          isExpanded={panel === 'settings'}
          onPress={() => toggle('settings')}
        >
          <Settings2 size={20} />
        </ControlButton>
        {isVideo && !state.mediaPipUnavailable && !isAudioOnly && (
          <ControlButton
            needsWidth
            label={t(state.mediaIsPip ? 'player:pipLeave' : 'player:pip')}
            onPress={actions.togglePictureInPicture}
          >
            <PictureInPicture2 size={20} />
          </ControlButton>
        )}
        {isVideo && !state.mediaFullscreenUnavailable && (
          <ControlButton
            label={t(state.mediaIsFullscreen ? 'player:fullLeave' : 'player:full')}
            onPress={actions.toggleFullscreen}
          >
            {state.mediaIsFullscreen ? <Minimize size={20} /> : <Maximize size={20} />}
          </ControlButton>
        )}
      </div>
      {panel === 'settings' && (
        <Settings
          media={media}
          engine={engine}
          state={state}
          actions={actions}
          view={view}
          t={t}
          locale={locale}
          close={close}
        />
      )}
      {panel === 'chapters' && <Chapters state={state} actions={actions} view={view} t={t} close={close} />}
    </div>
  )
}

interface ControlButtonProps {
  label: string
  children: ReactNode
  onPress: () => void
  /** Shown only when there is enough space. */
  needsWidth?: boolean
  isPressed?: boolean
  isExpanded?: boolean
}

function ControlButton({ label, children, onPress, needsWidth, isPressed, isExpanded }: ControlButtonProps) {
  return (
    <button
      type="button"
      className="player-press"
      data-wide={needsWidth || undefined}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      data-opener={isExpanded === undefined ? undefined : ''}
      onClick={onPress}
    >
      {children}
    </button>
  )
}
