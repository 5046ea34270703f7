import { useStore } from '@nanostores/react'
import { Mic, MicOff, MonitorUp, Settings2, Video, VideoOff } from 'lucide-react'
import { useEffect } from 'react'
import type { Publisher } from '#islands/broadcast/publisher.ts'
import { fail } from '#islands/stores/notice.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { BarAct, KeySet } from '../bar-keys.ts'
import { $drawer, pressOf } from '../bar-state.ts'
import { $publishers } from '../devices/stage-publish.ts'
import { Press } from '../Press.tsx'
import { useWords } from '../stage/stage-words.ts'

interface Props {
  view: RoomView
  keys: KeySet
}

/** Microphone, camera, screen: for everybody who stands on the stage. */
export function SenderBar({ view, keys }: Props) {
  const { say } = useWords()
  const { camera, screen } = useStore($publishers)
  const drawer = useStore($drawer)
  const does = (act: BarAct) => pressOf(act, keys, view)
  return (
    <div className="room-bar-part" data-part="sender">
      {camera ? (
        <Switches publisher={camera} does={does} />
      ) : (
        <>
          <Press {...does('microphone')} label={say('stage:bar.microphoneOn')} icon={<MicOff size={20} />} off />
          <Press {...does('camera')} label={say('stage:bar.cameraOn')} icon={<VideoOff size={20} />} off />
        </>
      )}
      {screen ? (
        <ScreenSwitch publisher={screen} does={does} />
      ) : (
        <Press {...does('screen')} rank={1} label={say('stage:bar.screenOn')} icon={<MonitorUp size={20} />} />
      )}
      <Press
        {...does('devices')}
        rank={2}
        label={say('stage:bar.devices')}
        icon={<Settings2 size={20} />}
        expanded={drawer === 'devices'}
      />
    </div>
  )
}

type Does = (act: BarAct) => ReturnType<typeof pressOf>

function Switches({ publisher, does }: { publisher: Publisher; does: Does }) {
  const { say } = useWords()
  const state = useStore(publisher.$state)
  const mic = useStore(publisher.$micOn)
  const camera = useStore(publisher.$cameraOn)
  useFailure(publisher)
  const sending = state.is !== 'idle' && state.is !== 'failed'
  const busy = state.is === 'starting' || state.is === 'reconnecting'
  const [hears, sees] = [sending && mic, sending && camera]
  return (
    <>
      <Press
        {...does('microphone')}
        label={say(hears ? 'stage:bar.microphoneOff' : 'stage:bar.microphoneOn')}
        icon={hears ? <Mic size={20} /> : <MicOff size={20} />}
        off={!hears}
        busy={busy}
      />
      <Press
        {...does('camera')}
        label={say(sees ? 'stage:bar.cameraOff' : 'stage:bar.cameraOn')}
        icon={sees ? <Video size={20} /> : <VideoOff size={20} />}
        off={!sees}
        busy={busy}
      />
      <span className="sr-only" role="status" data-sending={state.is}>
        {state.is === 'reconnecting'
          ? say('stage:send.reconnecting')
          : state.is === 'live'
            ? say('stage:send.live')
            : ''}
      </span>
    </>
  )
}

function ScreenSwitch({ publisher, does }: { publisher: Publisher; does: Does }) {
  const { say } = useWords()
  const { is } = useStore(publisher.$state)
  useFailure(publisher)
  const on = is !== 'idle' && is !== 'failed'
  return (
    <Press
      {...does('screen')}
      rank={1}
      label={say(on ? 'stage:bar.screenOff' : 'stage:bar.screenOn')}
      icon={<MonitorUp size={20} />}
      pressed={on}
    />
  )
}

/** Says why nothing is sent, in words; who closed the browser's own question knows it. */
function useFailure(publisher: Publisher): void {
  const { say } = useWords()
  useEffect(
    () =>
      publisher.$state.listen((state) => {
        if (state.is === 'failed' && state.reason !== 'dismissed') fail(say(`stage:send.${state.reason}`))
      }),
    [publisher, say],
  )
}
