import { atom } from 'nanostores'
import { type Blackout, type BlackoutChoice, createBlackout, type Watched } from '#islands/broadcast/blackout.ts'

/** Sound and slides alone, now; and whether somebody wants it so or the network decides. */
export const $saving = atom(false)
export const $savingChoice = atom<BlackoutChoice>('auto')

let one: Blackout | null = null

/** Watches the network of one more picture: one decision for all of them. Answers how to stop. */
export const saveWith = (watched: Watched): (() => void) => blackout().add(watched)

/** By hand: sound and slides alone, or as the network gives. */
export const switchSaving = (): void => blackout().choose($savingChoice.get() === 'always' ? 'auto' : 'always')

// Made in the browser only: it looks at the network every second.
function blackout(): Blackout {
  if (one) return one
  one = createBlackout()
  one.$on.subscribe((on) => $saving.set(on))
  one.$choice.subscribe((choice) => $savingChoice.set(choice))
  return one
}
