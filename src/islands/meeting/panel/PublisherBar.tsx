import { useStore } from '@nanostores/react'
import { Mic, MicOff, MonitorUp, Settings2, Video, VideoOff } from 'lucide-react'
import { useEffect } from 'react'
import type { Publisher } from '#islands/broadcast/publisher.ts'
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

/** Microphone, camera, screen: for everybody who stands on the stage. */
export function SenderBar({ view, keys }: Props) {
  const { t } = useTranslation()
  const { camera, screen } = useStore($publishers)
  const drawer = useStore($drawer)
  const does = (act: RoomCommand) => commandButton(act, keys, view)
  return (
    <div className="room-bar-part" data-part="sender">
      {camera ? (
        <Switches publisher={camera} does={does} />
      ) : (
        <>
          <BarButton {...does('microphone')} label={t('stage:bar.microphoneOn')} icon={<MicOff size={20} />} off />
          <BarButton {...does('camera')} label={t('stage:bar.cameraOn')} icon={<VideoOff size={20} />} off />
        </>
      )}
      {screen ? (
        <ScreenSwitch publisher={screen} does={does} />
      ) : (
        <BarButton {...does('screen')} rank={1} label={t('stage:bar.screenOn')} icon={<MonitorUp size={20} />} />
      )}
      <BarButton
        {...does('devices')}
        rank={2}
        label={t('stage:bar.devices')}
        icon={<Settings2 size={20} />}
        expanded={drawer === 'devices'}
      />
    </div>
  )
}

type Does = (act: RoomCommand) => ReturnType<typeof commandButton>

function Switches({ publisher, does }: { publisher: Publisher; does: Does }) {
  const { t } = useTranslation()
  const state = useStore(publisher.$state)
  const mic = useStore(publisher.$micOn)
  const camera = useStore(publisher.$cameraOn)
  useFailure(publisher)
  const sending = state.is !== 'idle' && state.is !== 'failed'
  const busy = state.is === 'starting' || state.is === 'reconnecting'
  const [hears, sees] = [sending && mic, sending && camera]
  return (
    <>
      <BarButton
        {...does('microphone')}
        label={t(hears ? 'stage:bar.microphoneOff' : 'stage:bar.microphoneOn')}
        icon={hears ? <Mic size={20} /> : <MicOff size={20} />}
        off={!hears}
        busy={busy}
      />
      <BarButton
        {...does('camera')}
        label={t(sees ? 'stage:bar.cameraOff' : 'stage:bar.cameraOn')}
        icon={sees ? <Video size={20} /> : <VideoOff size={20} />}
        off={!sees}
        busy={busy}
      />
      <span className="sr-only" role="status" data-sending={state.is}>
        {state.is === 'reconnecting' ? t('stage:send.reconnecting') : state.is === 'live' ? t('stage:send.live') : ''}
      </span>
    </>
  )
}

function ScreenSwitch({ publisher, does }: { publisher: Publisher; does: Does }) {
  const { t } = useTranslation()
  const { is } = useStore(publisher.$state)
  useFailure(publisher)
  const on = is !== 'idle' && is !== 'failed'
  return (
    <BarButton
      {...does('screen')}
      rank={1}
      label={t(on ? 'stage:bar.screenOff' : 'stage:bar.screenOn')}
      icon={<MonitorUp size={20} />}
      pressed={on}
    />
  )
}

/** Says why nothing is sent, in words; who closed the browser's own question knows it. */
function useFailure(publisher: Publisher): void {
  const { t } = useTranslation()
  useEffect(
    () =>
      publisher.$state.listen((state) => {
        if (state.is === 'failed' && state.reason !== 'dismissed') showFailure(t(`stage:send.${state.reason}`))
      }),
    [publisher, t],
  )
}
