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
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { type BarAct, type KeySet, keyOf } from './bar-keys.ts'
import { $captionsOn, $dialog, $hand, $panel, perform } from './bar-state.ts'
import { PresenterBar } from './PresenterBar.tsx'
import { Press } from './Press.tsx'
import { SenderBar } from './SenderBar.tsx'
import { $savingChoice } from './stage-saving.ts'
import { $blocked, $loudness, setLoudness } from './stage-sound.ts'
import { useWords } from './stage-words.ts'

interface Props {
  view: RoomView
  keys: KeySet
}

/** Everything that can be done in the room, each by one key. */
export function RoomBar({ view, keys }: Props) {
  const { say } = useWords()
  const panel = useStore($panel)
  const dialog = useStore($dialog)
  const captions = useStore($captionsOn)
  const does = (act: BarAct) => ({ hint: keyOf(act, keys), onPress: () => perform(act, view) })
  const presents = hasRight(view.me.role, 'present')
  return (
    <section className="room-bar" aria-label={say('stage:bar.label')}>
      {keys !== 'viewer' && presents && <SenderBar view={view} keys={keys} />}
      {keys === 'guest' && <SenderBar view={view} keys={keys} />}
      {keys === 'staff' && <PresenterBar view={view} />}
      <div className="room-bar-part" data-end="">
        {keys !== 'staff' && view.auto === null && <RaiseHand {...does('hands')} />}
        <Sound {...does('sound')} hint={keyOf('sound', keys)} />
        {view.workshop.captions !== 'off' && (
          <Press
            {...does('captions')}
            label={say('stage:bar.captions')}
            icon={captions ? <Captions size={20} /> : <CaptionsOff size={20} />}
            pressed={captions}
          />
        )}
        {view.auto === null && <Saving {...does('saving')} />}
        <Press {...does('fullscreen')} label={say('stage:bar.fullscreen')} icon={<Expand size={20} />} />
        <Press
          {...does('panel')}
          label={say('stage:bar.panel')}
          icon={<MessageSquare size={20} />}
          pressed={panel === 'open'}
        />
        <Press
          {...does('keys')}
          label={say('stage:bar.keys')}
          icon={<Keyboard size={20} />}
          expanded={dialog === 'keys'}
        />
        <Press {...does('leave')} label={say('stage:bar.leave')} icon={<LogOut size={20} />} />
      </div>
    </section>
  )
}

interface Does {
  hint: string
  onPress: () => void
}

function RaiseHand({ hint, onPress }: Does) {
  const { say } = useWords()
  const up = useStore($hand)
  return (
    <Press
      {...{ hint, onPress }}
      label={say(up ? 'stage:bar.handDown' : 'stage:bar.handUp')}
      icon={<Hand size={20} />}
      pressed={up}
    />
  )
}

function Sound({ hint, onPress }: Does) {
  const { say } = useWords()
  const { muted, volume } = useStore($loudness)
  const blocked = useStore($blocked)
  const silent = muted || blocked
  return (
    <>
      <Press
        {...{ hint, onPress }}
        label={say(silent ? 'stage:bar.soundOn' : 'stage:bar.soundOff')}
        icon={silent ? <VolumeX size={20} /> : <Volume2 size={20} />}
      />
      <input
        type="range"
        className="room-volume"
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

function Saving({ hint, onPress }: Does) {
  const { say } = useWords()
  const choice = useStore($savingChoice)
  return (
    <Press
      {...{ hint, onPress }}
      label={say('stage:bar.saving')}
      icon={<Waves size={20} />}
      pressed={choice === 'always'}
    />
  )
}
