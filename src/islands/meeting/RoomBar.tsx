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
import { BarButton } from './BarButton.tsx'
import { areStaffKeys, type KeySet, type RoomCommand } from './bar-shortcuts.ts'
import { $captionsShown, $dialog, $handRaised, $panel, commandButton } from './bar-state.ts'
import { $isSoundBlocked, $loudness, setLoudness } from './devices/stage-sound.ts'
import { PublisherBar } from './panel/PublisherBar.tsx'
import { RoomOverflowMenu } from './RoomOverflowMenu.tsx'
import { $state } from './room.ts'
import { $dataSavingChoice } from './stage/data-saving.ts'
import { PresenterBar } from './stage/PresenterBar.tsx'
import { useTranslation } from './translation.ts'

interface Props {
  view: RoomView
  keys: KeySet
}

/** The command bar of the room. Every command has a keyboard shortcut; buttons that do not fit go to an overflow menu. */
export function RoomBar({ view, keys }: Props) {
  const { t } = useTranslation()
  const panel = useStore($panel)
  const dialog = useStore($dialog)
  const captions = useStore($captionsShown)
  const bar = useRef<HTMLDivElement>(null)
  const buttonFor = (command: RoomCommand) => commandButton(command, keys, view)
  // After the end of the event no stage commands are shown.
  const isOver = (useStore($state) ?? view.state).phase === 'finished'
  return (
    <section className="room-bar" aria-label={t('stage:bar.label')}>
      <div ref={bar} className="room-bar-line" data-keys={areStaffKeys(keys) ? 'staff' : keys}>
        {!isOver && (hasRight(view.me.role, 'publish') || keys === 'guest') && <PublisherBar view={view} keys={keys} />}
        {!isOver && areStaffKeys(keys) && <PresenterBar view={view} />}
        <div className="room-bar-part" data-part="view">
          {!isOver && (keys === 'viewer' || keys === 'guest') && view.auto === null && (
            <RaiseHandButton {...buttonFor('hands')} />
          )}
          <SoundButton {...buttonFor('sound')} />
          {view.workshop.captions !== 'off' && (
            <BarButton
              {...buttonFor('captions')}
              rank={3}
              label={t('stage:bar.captions')}
              icon={captions ? <Captions size={20} /> : <CaptionsOff size={20} />}
              pressed={captions}
            />
          )}
          {!isOver && view.auto === null && <DataSavingButton {...buttonFor('saving')} />}
          <BarButton
            {...buttonFor('fullscreen')}
            rank={2}
            label={t('stage:bar.fullscreen')}
            icon={<Expand size={20} />}
          />
          <BarButton
            {...buttonFor('panel')}
            label={t('stage:bar.panel')}
            icon={<MessageSquare size={20} />}
            pressed={panel === 'open'}
          />
        </div>
        <div className="room-bar-part" data-part="end">
          <BarButton
            {...buttonFor('keys')}
            rank={3}
            label={t('stage:bar.keys')}
            icon={<Keyboard size={20} />}
            expanded={dialog === 'keys'}
          />
          <RoomOverflowMenu bar={bar} view={view} />
          <BarButton {...buttonFor('leave')} label={t('stage:bar.leave')} icon={<LogOut size={20} />} />
        </div>
      </div>
    </section>
  )
}

type CommandButton = ReturnType<typeof commandButton>

function RaiseHandButton(button: CommandButton) {
  const { t } = useTranslation()
  const isRaised = useStore($handRaised)
  return (
    <BarButton
      {...button}
      label={t(isRaised ? 'stage:bar.handDown' : 'stage:bar.handUp')}
      icon={<Hand size={20} />}
      pressed={isRaised}
    />
  )
}

function SoundButton(button: CommandButton) {
  const { t } = useTranslation()
  const { muted, volume } = useStore($loudness)
  const blocked = useStore($isSoundBlocked)
  const isSilent = muted || blocked
  return (
    <>
      <BarButton
        {...button}
        label={t(isSilent ? 'stage:bar.soundOn' : 'stage:bar.soundOff')}
        icon={isSilent ? <VolumeX size={20} /> : <Volume2 size={20} />}
      />
      <input
        type="range"
        className="room-volume"
        data-rank={3}
        aria-label={t('stage:bar.volume')}
        min={0.05}
        max={1}
        step={0.05}
        value={volume}
        onChange={(event) => setLoudness({ volume: event.currentTarget.valueAsNumber, muted: false })}
      />
    </>
  )
}

function DataSavingButton(button: CommandButton) {
  const { t } = useTranslation()
  const choice = useStore($dataSavingChoice)
  return (
    <BarButton
      {...button}
      rank={3}
      label={t('stage:bar.saving')}
      icon={<Waves size={20} />}
      pressed={choice === 'always'}
    />
  )
}
