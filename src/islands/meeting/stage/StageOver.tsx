import { useStore } from '@nanostores/react'
import { Volume2 } from 'lucide-react'
import { useRef } from 'react'
import type { Publisher } from '#islands/broadcast/publisher.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { $connection } from '../connection.ts'
import { $publishers } from '../devices/stage-publish.ts'
import { $behind, $blocked, unblock } from '../devices/stage-sound.ts'
import { RoomWaiting } from '../RoomWaiting.tsx'
import { $state, act } from '../room.ts'
import { useOwnFocus } from '../use-own-focus.ts'
import { StageEnd } from './StageEnd.tsx'
import { failWith } from './stage-fail.ts'
import { $place } from './stage-follow.ts'
import { useWords } from './stage-words.ts'

/** What lies over the stage: the wait, the end, a lost line, sound that wants a press, an invitation. */
export function StageOver({ view }: { view: RoomView }) {
  const { say } = useWords()
  const state = useStore($state) ?? view.state
  const connection = useStore($connection)
  const blocked = useStore($blocked)
  const place = useStore($place)
  const staff = view.me.role !== 'viewer'
  if (state.phase === 'finished') return <StageEnd view={view} />
  if (connection === 'lost') return <Lost view={view} />
  if (state.phase === 'waiting' && !staff) return <RoomWaiting view={view} />
  return (
    <>
      <Notes view={view} />
      {blocked && (
        <div className="stage-over" data-clear="">
          <Button tone="accent" icon={<Volume2 size={24} aria-hidden="true" />} className="btn-lg" onClick={unblock}>
            {say('stage:sound.on')}
          </Button>
        </div>
      )}
      {place === 'invited' && <Invitation />}
    </>
  )
}

/** The line is gone for more than a moment. */
function Lost({ view }: { view: RoomView }) {
  const { say } = useWords()
  const { text, image } = view.workshop.splash.lost
  return (
    <div className="stage-over" data-solid="" role="alert">
      {image && <img className="stage-splash" src={image} alt="" />}
      <p className="text-lg font-semibold">{say('stage:lost.title')}</p>
      <p className="max-w-prose">{text || say('stage:lost.text')}</p>
      <Button small onClick={() => location.reload()}>
        {say('stage:lost.reload')}
      </Button>
    </div>
  )
}

/** Small things that are good to know. */
function Notes({ view }: { view: RoomView }) {
  const { say } = useWords()
  const state = useStore($state) ?? view.state
  const behind = useStore($behind)
  const staff = view.me.role !== 'viewer'
  const empty = state.onAir.length === 0 && view.auto === null
  const presents = hasRight(view.me.role, 'present')
  const place = useStore($place)
  const { camera } = useStore($publishers)
  const unheard = !state.onAir.some(({ personId }) => personId === view.me.personId)
  return (
    <div className="stage-note">
      {camera && <OnAirAgain publisher={camera} />}
      {place === 'on' && unheard && state.phase === 'live' && <p role="status">{say('stage:note.onStage')}</p>}
      {staff && state.phase === 'waiting' && <p role="status">{say('stage:note.backstage')}</p>}
      {staff && state.phase === 'live' && state.recordingStoppedAt && (
        <p role="status" data-recording-stopped="">
          {say('stage:note.recordingStopped')}
        </p>
      )}
      {state.phase === 'live' && state.hostLostAt !== null && (
        <p role="status">
          {say('stage:note.hostLost')}
          {staff && (
            <Button small className="ms-2" onClick={() => void act.hold().catch(failWith)}>
              {say('stage:note.hold')}
            </Button>
          )}
        </p>
      )}
      {state.phase === 'live' && empty && state.hostLostAt === null && (
        <p role="status">{say(presents ? 'stage:note.nobodyStaff' : 'stage:note.nobody')}</p>
      )}
      {behind !== null && behind >= 1 && <p>{say('stage:tile.behind', { count: Math.round(behind) })}</p>}
    </div>
  )
}

/** Who presents sees nothing of their own break: it is said to them. */
function OnAirAgain({ publisher }: { publisher: Publisher }) {
  const { say } = useWords()
  return useStore(publisher.$state).is === 'reconnecting' ? <p>{say('stage:send.reconnecting')}</p> : null
}

function Invitation() {
  const { say } = useWords()
  const frame = useRef<HTMLDivElement>(null)
  useOwnFocus(frame, 'hands')
  const answer = (accepted: boolean) => void act.answerInvite({ accepted }).catch(failWith)
  return (
    <div ref={frame} className="stage-over" role="alertdialog" tabIndex={-1} aria-label={say('stage:invite.title')}>
      <p className="text-lg font-semibold" role="alert">
        {say('stage:invite.title')}
      </p>
      <p className="max-w-prose">{say('stage:invite.text')}</p>
      <p className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => answer(false)}>{say('stage:invite.decline')}</Button>
        <Button tone="primary" onClick={() => answer(true)}>
          {say('stage:invite.accept')}
        </Button>
      </p>
    </div>
  )
}
