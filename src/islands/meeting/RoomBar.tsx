import { useStore } from '@nanostores/react'
import {
  Captions,
  CaptionsOff,
  Expand,
  Hand,
  Keyboard,
  LogOut,
  MessageSquare,
  Volume2,
  VolumeX,
  Waves,
} from 'lucide-react'
import { useRef } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { BarAct, KeySet } from './bar-keys.ts'
import { $captionsOn, $dialog, $hand, $panel, pressOf } from './bar-state.ts'
import { $blocked, $loudness, setLoudness } from './devices/stage-sound.ts'
import { Press } from './Press.tsx'
import { SenderBar } from './panel/SenderBar.tsx'
import { RoomMore } from './RoomMore.tsx'
import { $state } from './room.ts'
import { PresenterBar } from './stage/PresenterBar.tsx'
import { $savingChoice } from './stage/stage-saving.ts'
import { useWords } from './stage/stage-words.ts'

interface Props {
  view: RoomView
  keys: KeySet
}

/** Everything that can be done in the room, each by one key. What finds no room steps back into a menu. */
export function RoomBar({ view, keys }: Props) {
  const { say } = useWords()
  const panel = useStore($panel)
  const dialog = useStore($dialog)
  const captions = useStore($captionsOn)
  const bar = useRef<HTMLDivElement>(null)
  const does = (act: BarAct) => pressOf(act, keys, view)
  const presents = hasRight(view.me.role, 'present')
  // Nothing is left to be done on a stage that is empty.
  const over = (useStore($state) ?? view.state).phase === 'finished'
  return (
    <section className="room-bar" aria-label={say('stage:bar.label')}>
      <div ref={bar} className="room-bar-line" data-keys={keys}>
        {!over && keys !== 'viewer' && presents && <SenderBar view={view} keys={keys} />}
        {!over && keys === 'guest' && <SenderBar view={view} keys={keys} />}
        {!over && keys === 'staff' && <PresenterBar view={view} />}
        <div className="room-bar-part" data-part="view">
          {!over && keys !== 'staff' && view.auto === null && <RaiseHand {...does('hands')} />}
          <Sound {...does('sound')} />
          {view.workshop.captions !== 'off' && (
            <Press
              {...does('captions')}
              rank={3}
              label={say('stage:bar.captions')}
              icon={captions ? <Captions size={20} /> : <CaptionsOff size={20} />}
              pressed={captions}
            />
          )}
          {!over && view.auto === null && <Saving {...does('saving')} />}
          <Press {...does('fullscreen')} rank={2} label={say('stage:bar.fullscreen')} icon={<Expand size={20} />} />
          <Press
            {...does('panel')}
            label={say('stage:bar.panel')}
            icon={<MessageSquare size={20} />}
            pressed={panel === 'open'}
          />
        </div>
        <div className="room-bar-part" data-part="end">
          <Press
            {...does('keys')}
            rank={3}
            label={say('stage:bar.keys')}
            icon={<Keyboard size={20} />}
            expanded={dialog === 'keys'}
          />
          <RoomMore bar={bar} view={view} />
          <Press {...does('leave')} label={say('stage:bar.leave')} icon={<LogOut size={20} />} />
        </div>
      </div>
    </section>
  )
}

type Does = ReturnType<typeof pressOf>

function RaiseHand(does: Does) {
  const { say } = useWords()
  const up = useStore($hand)
  return (
    <Press
      {...does}
      label={say(up ? 'stage:bar.handDown' : 'stage:bar.handUp')}
      icon={<Hand size={20} />}
      pressed={up}
    />
  )
}

function Sound(does: Does) {
  const { say } = useWords()
  const { muted, volume } = useStore($loudness)
  const blocked = useStore($blocked)
  const silent = muted || blocked
  return (
    <>
      <Press
        {...does}
        label={say(silent ? 'stage:bar.soundOn' : 'stage:bar.soundOff')}
        icon={silent ? <VolumeX size={20} /> : <Volume2 size={20} />}
      />
      <input
        type="range"
        className="room-volume"
        data-rank={3}
        aria-label={say('stage:bar.volume')}
        min={0.05}
        max={1}
        step={0.05}
        value={volume}
        onChange={(event) => setLoudness({ volume: event.currentTarget.valueAsNumber, muted: false })}
      />
    </>
  )
}

function Saving(does: Does) {
  const { say } = useWords()
  const choice = useStore($savingChoice)
  return (
    <Press
      {...does}
      rank={3}
      label={say('stage:bar.saving')}
      icon={<Waves size={20} />}
      pressed={choice === 'always'}
    />
  )
}
