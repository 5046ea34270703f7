import { useStore } from '@nanostores/react'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { HandView } from '#lib/meeting/stage/schema.ts'
import { roomApi } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { showError } from './show-error.ts'
import { $hands } from './stage-hands.ts'

/** Participants with a raised hand, the longest waiting first, and those who were invited to the stage. */
export function RaisedHands(_: { view: RoomView }) {
  const { t } = useTranslation()
  const hands = useStore($hands)
  if (hands.length === 0) return <p className="text-muted">{t('stage:hands.none')}</p>
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {hands.map((hand) => (
        <li key={hand.personId} className="card-line flex flex-wrap items-center gap-2 p-2">
          <span className="min-w-0 flex-1">
            <span className="block font-semibold wrap-anywhere">{hand.name}</span>
            <span className="text-muted">{t(`stage:hands.${hand.stage}`)}</span>
          </span>
          <HandButton hand={hand} />
        </li>
      ))}
    </ul>
  )
}

function HandButton({ hand }: { hand: HandView }) {
  const { t } = useTranslation()
  const { personId, stage } = hand
  const invite = (isInvited: boolean) => void roomApi.inviteToStage({ personId, on: isInvited }).catch(showError)
  if (stage === 'off') {
    return (
      <Button small tone="primary" onClick={() => invite(true)}>
        {t('stage:hands.invite')}
      </Button>
    )
  }
  return (
    <Button small onClick={() => invite(false)}>
      {t(stage === 'invited' ? 'stage:hands.takeBack' : 'stage:hands.takeOff')}
    </Button>
  )
}
