import { atom, computed } from 'nanostores'
import type { HandView } from '#lib/meeting/stage/schema.ts'
import { act, onEvents } from '../room.ts'

/** For staff: who has a hand up or stands on the stage by invitation. */
export const $hands = atom<readonly HandView[]>([])
export const $raised = computed($hands, (hands) => hands.filter((one) => one.raisedAt && one.stage === 'off').length)

const MEANT = new Set(['hand.raise', 'stage.invite', 'stage.change'])

/** Keeps the list as it is in the room. Answers how to stop. */
export function followHands(): () => void {
  const read = () =>
    void act.listHands().then(
      (hands) => $hands.set(hands),
      () => undefined,
    )
  read()
  return onEvents((events) => {
    if (events.some(({ type }) => MEANT.has(type))) read()
  })
}
