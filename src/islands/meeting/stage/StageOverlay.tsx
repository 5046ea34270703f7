import { useStore } from '@nanostores/react'
import { Volume2 } from 'lucide-react'
import { useRef } from 'react'
import type { WhipPublisher } from '#islands/broadcast/publisher.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { $roomConnection } from '../connection.ts'
import { $publishers } from '../devices/stage-publish.ts'
import { $delaySeconds, $isSoundBlocked, unblockSound } from '../devices/stage-sound.ts'
import { RoomWaiting } from '../RoomWaiting.tsx'
import { $state, roomApi } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { useFocusReturn } from '../use-focus-return.ts'
import { StageEnd } from './StageEnd.tsx'
import { showError } from './show-error.ts'
import { $stagePlace } from './stage-place.ts'

/** The overlay of the stage: waiting, end, lost connection, blocked sound, invitation. */
export function StageOverlay({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const state = useStore($state) ?? view.state
  const connection = useStore($roomConnection)
  const blocked = useStore($isSoundBlocked)
  const place = useStore($stagePlace)
  const isStaff = hasRight(view.me.role, 'moderate')
  if (state.phase === 'finished') return <StageEnd view={view} />
  if (connection === 'lost') return <ConnectionLost view={view} />
  if (state.phase === 'waiting' && !isStaff) return <RoomWaiting view={view} />
  return (
    <>
      <StageNotes view={view} />
      {blocked && (
        <div className="stage-over" data-clear="">
          <Button
            tone="accent"
            icon={<Volume2 size={24} aria-hidden="true" />}
            className="btn-lg"
            onClick={unblockSound}
          >
            {t('stage:sound.on')}
          </Button>
        </div>
      )}
      {place === 'invited' && <Invitation />}
    </>
  )
}

/** Shown when the connection is lost. */
function ConnectionLost({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { text, image } = view.workshop.splash.lost
  return (
    <div className="stage-over" data-solid="" role="alert">
      {image && <img className="stage-splash" src={image} alt="" />}
      <p className="text-lg font-semibold">{t('stage:lost.title')}</p>
      <p className="max-w-prose">{text || t('stage:lost.text')}</p>
      <Button small onClick={() => location.reload()}>
        {t('stage:lost.reload')}
      </Button>
    </div>
  )
}

/** Notes about the state of the stage. */
function StageNotes({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const state = useStore($state) ?? view.state
  const delaySeconds = useStore($delaySeconds)
  const isStaff = hasRight(view.me.role, 'moderate')
  const isEmpty = state.onAir.length === 0 && view.auto === null
  const canPresent = hasRight(view.me.role, 'publish')
  const place = useStore($stagePlace)
  const { camera } = useStore($publishers)
  const isSilent = !state.onAir.some(({ personId }) => personId === view.me.personId)
  return (
    <div className="stage-note">
      {camera && <ReconnectingNote publisher={camera} />}
      {place === 'on' && isSilent && state.phase === 'live' && <p role="status">{t('stage:note.onStage')}</p>}
      {isStaff && state.phase === 'waiting' && view.auto === null && <p role="status">{t('stage:note.backstage')}</p>}
      {isStaff && state.phase === 'live' && state.recordingStoppedAt && (
        <p role="status" data-recording-stopped="">
          {t('stage:note.recordingStopped')}
        </p>
      )}
      {state.phase === 'live' && state.hostLostAt !== null && (
        <p role="status">
          {t('stage:note.hostLost')}
          {isStaff && (
            <Button small className="ms-2" onClick={() => void roomApi.hold().catch(showError)}>
              {t('stage:note.hold')}
            </Button>
          )}
        </p>
      )}
      {state.phase === 'live' && isEmpty && state.hostLostAt === null && (
        <p role="status">{t(canPresent ? 'stage:note.nobodyStaff' : 'stage:note.nobody')}</p>
      )}
      {delaySeconds !== null && delaySeconds >= 1 && (
        <p>{t('stage:tile.behind', { count: Math.round(delaySeconds) })}</p>
      )}
    </div>
  )
}

/** Notifies publishers that their own stream is interrupted, which the own preview does not show. */
function ReconnectingNote({ publisher }: { publisher: WhipPublisher }) {
  const { t } = useTranslation()
  return useStore(publisher.$state).is === 'reconnecting' ? <p>{t('stage:send.reconnecting')}</p> : null
}

function Invitation() {
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  useFocusReturn(frame, 'hands')
  const answerInvitation = (accepted: boolean) => void roomApi.answerInvite({ accepted }).catch(showError)
  return (
    <div ref={frame} className="stage-over" role="alertdialog" tabIndex={-1} aria-label={t('stage:invite.title')}>
      <p className="text-lg font-semibold" role="alert">
        {t('stage:invite.title')}
      </p>
      <p className="max-w-prose">{t('stage:invite.text')}</p>
      <p className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => answerInvitation(false)}>{t('stage:invite.decline')}</Button>
        <Button tone="primary" onClick={() => answerInvitation(true)}>
          {t('stage:invite.accept')}
        </Button>
      </p>
    </div>
  )
}
