import { useStore } from '@nanostores/react'
import { Users } from 'lucide-react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $connection } from './connection.ts'
import { $online, $queue, $state } from './room.ts'
import { $saving, $savingChoice } from './stage/stage-saving.ts'
import { clockOf } from './stage/stage-view.ts'
import { useWords } from './stage/stage-words.ts'
import { useNow } from './use-now.ts'

/** The line above the stage: what it is, since when, who is there, and whether all is well. */
export function RoomHead({ view }: { view: RoomView }) {
  const { say } = useWords()
  const state = useStore($state) ?? view.state
  const online = useStore($online) ?? view.online
  const connection = useStore($connection)
  const queue = useStore($queue)
  const staff = view.me.role !== 'viewer'
  const live = state.phase === 'live'
  const over = state.phase === 'finished'
  return (
    <header className="room-head">
      <h1 className="room-title">{view.workshop.title}</h1>
      {connection === 'connecting' && (
        <span className="room-chip" role="status">
          {say('stage:head.connecting')}
        </span>
      )}
      <SavingChip />
      {staff && !over && queue.waiting > 0 && (
        <span className="room-chip" role="status">
          {queue.limit === null
            ? say('stage:head.waiting', { count: queue.waiting })
            : say('stage:head.waitingLimit', { count: queue.waiting, limit: queue.limit })}
        </span>
      )}
      {view.auto !== null && <span className="room-chip">{say('stage:head.recording')}</span>}
      {live && view.auto === null && view.kind === 'live' && view.workshop.recorded && !state.recordingStoppedAt && (
        <span className="room-chip" data-recording="" title={say('stage:head.recorded')}>
          <span>{say('stage:head.recorded')}</span>
        </span>
      )}
      {view.kind === 'rehearsal' && <span className="room-chip">{say('stage:head.rehearsal')}</span>}
      {live && view.auto === null && (
        <span className="room-chip tabular" data-live="">
          <span>{say('stage:head.live')}</span>
          {state.startedAt !== null && <Elapsed view={view} since={state.startedAt} />}
        </span>
      )}
      {!over && (staff || view.auto === null) && (
        <span className="room-chip tabular" title={say('stage:head.online', { count: online })}>
          <Users size={14} aria-hidden="true" />
          <span aria-hidden="true">{online}</span>
          <span className="sr-only">{say('stage:head.online', { count: online })}</span>
        </span>
      )}
    </header>
  )
}

function Elapsed({ view, since }: { view: RoomView; since: number }) {
  const now = useNow(view)
  return <span>{clockOf((now - since) / 1000)}</span>
}

function SavingChip() {
  const { say } = useWords()
  const on = useStore($saving)
  const choice = useStore($savingChoice)
  if (!on) return null
  return (
    <span className="room-chip" data-saving="" role="status">
      {say(choice === 'always' ? 'stage:bar.saving' : 'stage:head.saving')}
    </span>
  )
}
