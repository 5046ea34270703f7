import { atom, computed } from 'nanostores'
import type { HandView } from '#lib/meeting/stage/schema.ts'
import { onEvents, roomApi } from '../room.ts'

/** For staff: participants with a raised hand or an invitation to the stage. */
export const $hands = atom<readonly HandView[]>([])
export const $raisedHandCount = computed(
  $hands,
  (hands) => hands.filter((hand) => hand.raisedAt && hand.stage === 'off').length,
)

const HAND_EVENTS = new Set(['hand.raise', 'stage.invite', 'stage.change'])

/** Keeps the list of hands up to date. Returns a function that stops it. */
export function trackHands(): () => void {
  const loadHands = () =>
    void roomApi.listHands().then(
      (hands) => $hands.set(hands),
      () => undefined,
    )
  loadHands()
  return onEvents((events) => {
    if (events.some(({ type }) => HAND_EVENTS.has(type))) loadHands()
  })
}
