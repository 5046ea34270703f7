import { useStore } from '@nanostores/react'
import { Mic, MicOff, MonitorUp, Settings2, Video, VideoOff } from 'lucide-react'
import { useEffect } from 'react'
import type { WhipPublisher } from '#islands/broadcast/publisher.ts'
import { showFailure } from '#islands/stores/notice.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { BarButton } from '../BarButton.tsx'
import type { KeySet, RoomCommand } from '../bar-shortcuts.ts'
import { $drawer, commandButton } from '../bar-state.ts'
import { $publishers } from '../devices/stage-publish.ts'
import { useTranslation } from '../translation.ts'

interface Props {
  view: RoomView
  keys: KeySet
}

/** Microphone, camera and screen buttons of participants on the stage. */
export function PublisherBar({ view, keys }: Props) {
  const { t } = useTranslation()
  const { camera, screen } = useStore($publishers)
  const drawer = useStore($drawer)
  const buttonFor = (action: RoomCommand) => commandButton(action, keys, view)
  return (
    <div className="room-bar-part" data-part="sender">
      {camera ? (
        <DeviceSwitches publisher={camera} does={buttonFor} />
      ) : (
        <>
          <BarButton {...buttonFor('microphone')} label={t('stage:bar.microphoneOn')} icon={<MicOff size={20} />} off />
          <BarButton {...buttonFor('camera')} label={t('stage:bar.cameraOn')} icon={<VideoOff size={20} />} off />
        </>
      )}
      {screen ? (
        <ScreenSwitch publisher={screen} does={buttonFor} />
      ) : (
        <BarButton {...buttonFor('screen')} rank={1} label={t('stage:bar.screenOn')} icon={<MonitorUp size={20} />} />
      )}
      <BarButton
        {...buttonFor('devices')}
        rank={2}
        label={t('stage:bar.devices')}
        icon={<Settings2 size={20} />}
        expanded={drawer === 'devices'}
      />
    </div>
  )
}

type ButtonFor = (action: RoomCommand) => ReturnType<typeof commandButton>

function DeviceSwitches({ publisher, does }: { publisher: WhipPublisher; does: ButtonFor }) {
  const { t } = useTranslation()
  const state = useStore(publisher.$state)
  const mic = useStore(publisher.$isMicOn)
  const camera = useStore(publisher.$isCameraOn)
  useFailureNotice(publisher)
  const isPublishing = state.is !== 'idle' && state.is !== 'failed'
  const busy = state.is === 'starting' || state.is === 'reconnecting'
  const [isMicrophoneOn, isCameraOn] = [isPublishing && mic, isPublishing && camera]
  return (
    <>
      <BarButton
        {...does('microphone')}
        label={t(isMicrophoneOn ? 'stage:bar.microphoneOff' : 'stage:bar.microphoneOn')}
        icon={isMicrophoneOn ? <Mic size={20} /> : <MicOff size={20} />}
        off={!isMicrophoneOn}
        busy={busy}
      />
      <BarButton
        {...does('camera')}
        label={t(isCameraOn ? 'stage:bar.cameraOff' : 'stage:bar.cameraOn')}
        icon={isCameraOn ? <Video size={20} /> : <VideoOff size={20} />}
        off={!isCameraOn}
        busy={busy}
      />
      <span className="sr-only" role="status" data-sending={state.is}>
        {state.is === 'reconnecting' ? t('stage:send.reconnecting') : state.is === 'live' ? t('stage:send.live') : ''}
      </span>
    </>
  )
}

function ScreenSwitch({ publisher, does }: { publisher: WhipPublisher; does: ButtonFor }) {
  const { t } = useTranslation()
  const { is } = useStore(publisher.$state)
  useFailureNotice(publisher)
  const isSharing = is !== 'idle' && is !== 'failed'
  return (
    <BarButton
      {...does('screen')}
      rank={1}
      label={t(isSharing ? 'stage:bar.screenOff' : 'stage:bar.screenOn')}
      icon={<MonitorUp size={20} />}
      pressed={isSharing}
    />
  )
}

/** Shows why publishing failed, except when the user dismissed the browser's permission prompt. */
function useFailureNotice(publisher: WhipPublisher): void {
  const { t } = useTranslation()
  useEffect(
    () =>
      publisher.$state.listen((state) => {
        if (state.is === 'failed' && state.reason !== 'dismissed') showFailure(t(`stage:send.${state.reason}`))
      }),
    [publisher, t],
  )
}
