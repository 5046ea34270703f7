import { atom } from 'nanostores'
import {
  type AudioOnlyStream,
  type Blackout,
  type BlackoutChoice,
  createBlackout,
} from '#islands/broadcast/audio-only-mode.ts'

/** Whether only sound and slides are received now, and whether the participant or the network decided it. */
export const $isSavingData = atom(false)
export const $dataSavingChoice = atom<BlackoutChoice>('auto')

let instance: Blackout | null = null

/** Includes a subscriber in the network measurements; the decision holds for all. Returns a function that removes it. */
export const addDataSavingSubscriber = (watched: AudioOnlyStream): (() => void) => getBlackout().add(watched)

/** Switches between sound and slides only, and the automatic decision. */
export const toggleDataSaving = (): void =>
  getBlackout().choose($dataSavingChoice.get() === 'always' ? 'auto' : 'always')

// Created on first use in the browser, because it measures the network every second.
function getBlackout(): Blackout {
  if (instance) return instance
  instance = createBlackout()
  instance.$isAudioOnly.subscribe((on) => $isSavingData.set(on))
  instance.$choice.subscribe((choice) => $dataSavingChoice.set(choice))
  return instance
}
