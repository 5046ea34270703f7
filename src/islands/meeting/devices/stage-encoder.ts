import { atom } from 'nanostores'
import type { EncoderSource, EncoderView } from '#lib/meeting/stage/schema.ts'
import { $sources, act } from '../room.ts'
import { failWith } from '../stage/stage-fail.ts'

/** Where my encoder publishes, once it was asked for. */
export const $encoder = atom<Pick<EncoderView, 'endpoint' | 'token'> | null>(null)

function take({ sources, ...own }: EncoderView): void {
  $encoder.set(own)
  $sources.set(sources)
}

export const readEncoder = (): Promise<void> => act.getEncoder().then(take).catch(failWith)

/** Asks for a new key in place of the old one, or for none. */
export const changeEncoder = (on: boolean): Promise<void> => act.changeEncoder({ on }).then(take).catch(failWith)

/** Puts an encoder on the stage or takes it off. */
export function switchEncoder({ personId }: EncoderSource, on: boolean): void {
  const done = on
    ? act.goOnAir({ kind: 'encoder', personId, microphone: true, camera: true })
    : act.goOffAir({ kind: 'encoder', personId })
  void done.catch(failWith)
}
