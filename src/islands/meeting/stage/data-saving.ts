import { atom } from 'nanostores'
import { type Blackout, type BlackoutChoice, createBlackout, type Watched } from '#islands/broadcast/blackout.ts'

/** Sound and slides alone, now; and whether somebody wants it so or the network decides. */
export const $isSavingData = atom(false)
export const $dataSavingChoice = atom<BlackoutChoice>('auto')

let instance: Blackout | null = null

/** Watches the network of one more picture: one decision for all of them. Answers how to stop. */
export const addDataSavingSubscriber = (watched: Watched): (() => void) => getBlackout().add(watched)

/** By hand: sound and slides alone, or as the network gives. */
export const toggleDataSaving = (): void =>
  getBlackout().choose($dataSavingChoice.get() === 'always' ? 'auto' : 'always')

// Made in the browser only: it looks at the network every second.
function getBlackout(): Blackout {
  if (instance) return instance
  instance = createBlackout()
  instance.$on.subscribe((on) => $isSavingData.set(on))
  instance.$choice.subscribe((choice) => $dataSavingChoice.set(choice))
  return instance
}
