import { useStore } from '@nanostores/react'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { HandView } from '#lib/meeting/stage/schema.ts'
import { act } from '../room.ts'
import { failWith } from './stage-fail.ts'
import { $hands } from './stage-hands.ts'
import { useWords } from './stage-words.ts'

/** Who wants to speak, the longest waiting first, and who was asked onto the stage. */
export function RoomHands(_: { view: RoomView }) {
  const { say } = useWords()
  const hands = useStore($hands)
  if (hands.length === 0) return <p className="text-muted">{say('stage:hands.none')}</p>
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {hands.map((hand) => (
        <li key={hand.personId} className="card-line flex flex-wrap items-center gap-2 p-2">
          <span className="min-w-0 flex-1">
            <span className="block font-semibold wrap-anywhere">{hand.name}</span>
            <span className="text-muted">{say(`stage:hands.${hand.stage}`)}</span>
          </span>
          <HandAct hand={hand} />
        </li>
      ))}
    </ul>
  )
}

function HandAct({ hand }: { hand: HandView }) {
  const { say } = useWords()
  const { personId, stage } = hand
  const invite = (on: boolean) => void act.inviteToStage({ personId, on }).catch(failWith)
  if (stage === 'off') {
    return (
      <Button small tone="primary" onClick={() => invite(true)}>
        {say('stage:hands.invite')}
      </Button>
    )
  }
  return (
    <Button small onClick={() => invite(false)}>
      {say(stage === 'invited' ? 'stage:hands.takeBack' : 'stage:hands.takeOff')}
    </Button>
  )
}
