import { atom } from 'nanostores'
import type { EncoderSource, EncoderView } from '#lib/meeting/stage/schema.ts'
import { $encoderSources, roomApi } from '../room.ts'
import { showError } from '../stage/show-error.ts'

/** Where my encoder publishes, once it was asked for. */
export const $encoder = atom<Pick<EncoderView, 'endpoint' | 'token'> | null>(null)

function take({ sources, ...own }: EncoderView): void {
  $encoder.set(own)
  $encoderSources.set(sources)
}

export const readEncoder = (): Promise<void> => roomApi.getEncoder().then(take).catch(showError)

/** Asks for a new key in place of the old one, or for none. */
export const changeEncoder = (on: boolean): Promise<void> => roomApi.changeEncoder({ on }).then(take).catch(showError)

/** Puts an encoder on the stage or takes it off. */
export function switchEncoder({ personId }: EncoderSource, on: boolean): void {
  const done = on
    ? roomApi.goOnAir({ kind: 'encoder', personId, microphone: true, camera: true })
    : roomApi.goOffAir({ kind: 'encoder', personId })
  void done.catch(showError)
}
