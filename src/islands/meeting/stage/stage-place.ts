import { atom } from 'nanostores'
import type { StagePlace } from '#lib/meeting/stage/rules.ts'

/** Whether this participant is off the stage, invited or on it. */
export const $stagePlace = atom<StagePlace>('off')
