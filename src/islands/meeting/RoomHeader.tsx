import { useStore } from '@nanostores/react'
import { Users } from 'lucide-react'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { $roomConnection } from './connection.ts'
import { $consent, $onlineCount, $state, $waitingQueue } from './room.ts'
import { $dataSavingChoice, $isSavingData } from './stage/data-saving.ts'
import { useTranslation } from './translation.ts'
import { useNow } from './use-now.ts'

/** The header above the stage: title, elapsed time, number of viewers, connection and recording state. */
export function RoomHeader({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const state = useStore($state) ?? view.state
  const onlineCount = useStore($onlineCount) ?? view.online
  const connection = useStore($roomConnection)
  const queue = useStore($waitingQueue)
  const isStaff = hasRight(view.me.role, 'moderate')
  const consent = useStore($consent) ?? view.mentoring?.consent
  const isRecorded = view.mentoring ? consent?.isRecorded : view.workshop.recorded
  const isLive = state.phase === 'live'
  const isOver = state.phase === 'finished'
  return (
    <header className="room-head">
      <h1 className="room-title">{view.workshop.title}</h1>
      {connection === 'connecting' && (
        <span className="room-chip" role="status">
          {t('stage:head.connecting')}
        </span>
      )}
      <DataSavingChip />
      {isStaff && !isOver && queue.waiting > 0 && (
        <span className="room-chip" role="status">
          {queue.limit === null
            ? t('stage:head.waiting', { count: queue.waiting })
            : t('stage:head.waitingLimit', { count: queue.waiting, limit: queue.limit })}
        </span>
      )}
      {view.auto !== null && <span className="room-chip">{t('stage:head.recording')}</span>}
      {isLive && view.auto === null && view.kind === 'live' && isRecorded && !state.recordingStoppedAt && (
        <span className="room-chip" data-recording="" title={t('stage:head.recorded')}>
          <span>{t('stage:head.recorded')}</span>
        </span>
      )}
      {view.kind === 'rehearsal' && <span className="room-chip">{t('stage:head.rehearsal')}</span>}
      {isLive && view.auto === null && (
        <span className="room-chip tabular" data-live="">
          <span>{t('stage:head.live')}</span>
          {state.startedAt !== null && <Elapsed view={view} startedAt={state.startedAt} />}
        </span>
      )}
      {!isOver && !view.mentoring && (isStaff || view.auto === null) && (
        <span className="room-chip tabular" title={t('stage:head.online', { count: onlineCount })}>
          <Users size={14} aria-hidden="true" />
          <span aria-hidden="true">{onlineCount}</span>
          <span className="sr-only">{t('stage:head.online', { count: onlineCount })}</span>
        </span>
      )}
    </header>
  )
}

function Elapsed({ view, startedAt }: { view: RoomView; startedAt: number }) {
  const now = useNow(view)
  return <span>{formatClock((now - startedAt) / 1000)}</span>
}

function DataSavingChip() {
  const { t } = useTranslation()
  const on = useStore($isSavingData)
  const choice = useStore($dataSavingChoice)
  if (!on) return null
  return (
    <span className="room-chip" data-saving="" role="status">
      {t(choice === 'always' ? 'stage:bar.saving' : 'stage:head.saving')}
    </span>
  )
}
