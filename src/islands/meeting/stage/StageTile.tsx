import { useStore } from '@nanostores/react'
import { MicOff, MonitorUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { WhipPublisher } from '#islands/broadcast/publisher.ts'
import type { StreamPlayer } from '#islands/broadcast/stream-player.ts'
import { initialsOf } from '#lib/core/shared/text/initials.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'
import { $publishers } from '../devices/stage-publish.ts'
import { useTranslation } from '../translation.ts'
import { $dataSavingChoice } from './data-saving.ts'
import { useSubscriber } from './use-subscriber.ts'

interface Props {
  stream: LiveStream
  view: RoomView
  /** Shown in place of the slides. */
  isLarge?: boolean
}

/** A stream on the stage with its publisher's name; without camera the initials are shown. */
export function StageTile({ stream, view, isLarge }: Props) {
  // The own encoder's stream does not come from this page: it is played like other streams, but muted.
  const isEncoder = stream.kind === 'encoder'
  const isOwn = stream.personId === view.me.personId
  const hasPicture = stream.kind === 'screen' || stream.camera
  const Icon = stream.kind === 'screen' ? MonitorUp : MicOff
  return (
    <div
      className="tile"
      data-stream={stream.stream}
      data-large={isLarge || undefined}
      data-mirrored={(isOwn && stream.kind === 'camera') || undefined}
      data-unseen={hasPicture ? undefined : ''}
    >
      {!hasPicture && (
        <span className="tile-face" aria-hidden="true">
          {initialsOf(stream.name)}
        </span>
      )}
      {isOwn && stream.kind !== 'encoder' ? (
        <OwnPicture kind={stream.kind} />
      ) : (
        <OtherPicture stream={stream} silent={isOwn && isEncoder} />
      )}
      <p className="tile-label">
        {(stream.kind === 'screen' || !stream.microphone) && <Icon size={14} aria-hidden="true" />}
        <span>{stream.name}</span>
      </p>
    </div>
  )
}

/** The local preview of an own stream, which is not received over the network. */
function OwnPicture({ kind }: { kind: keyof ReturnType<typeof $publishers.get> }) {
  const publisher = useStore($publishers)[kind]
  return publisher ? <StagePreview publisher={publisher} /> : null
}

/** Local picture of a publisher. */
export function StagePreview({ publisher }: { publisher: WhipPublisher }) {
  const video = useRef<HTMLVideoElement>(null)
  const stream = useStore(publisher.$stream)
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  return <video ref={video} muted autoPlay playsInline />
}

function OtherPicture({ stream: { stream, name }, silent }: { stream: LiveStream; silent: boolean }) {
  const video = useRef<HTMLVideoElement>(null)
  const subscriber = useSubscriber(video, stream, silent)
  return (
    <>
      <video ref={video} playsInline muted={silent} data-watching={stream}>
        <track kind="captions" />
      </video>
      {subscriber && <TileState watcher={subscriber} name={name} />}
    </>
  )
}

/** A muted stream that is not on the stage. */
export function SourcePicture({ stream }: { stream: string }) {
  const video = useRef<HTMLVideoElement>(null)
  useSubscriber(video, stream, true)
  return (
    <video ref={video} playsInline muted data-watching={stream}>
      <track kind="captions" />
    </video>
  )
}

/** State of a stream over its picture. */
function TileState({ watcher, name }: { watcher: StreamPlayer; name: string }) {
  const { t } = useTranslation()
  const state = useStore(watcher.$state)
  const behind = useStore(watcher.$latencySeconds)
  const how = useStore(watcher.$mode)
  const choice = useStore($dataSavingChoice)
  if (state === 'playing' && how === 'audio')
    return (
      <>
        <span className="tile-face" data-small="" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <p className="tile-state">{t(choice === 'always' ? 'stage:tile.soundOnly' : 'stage:tile.saving')}</p>
      </>
    )
  if (state === 'playing') {
    if (behind === null || behind < 1) return null
    return <p className="tile-behind">{t('stage:tile.behind', { count: Math.round(behind) })}</p>
  }
  return (
    <p className="tile-state" role="status">
      {t(`stage:tile.${state}`)}
    </p>
  )
}
