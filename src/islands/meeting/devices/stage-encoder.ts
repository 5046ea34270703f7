import { atom } from 'nanostores'
import type { EncoderSource, EncoderView } from '#lib/meeting/stage/schema.ts'
import { $encoderSources, roomApi } from '../room.ts'
import { showError } from '../stage/show-error.ts'

/** Endpoint and token of the own encoder, once loaded. */
export const $encoder = atom<Pick<EncoderView, 'endpoint' | 'token'> | null>(null)

function applyEncoder({ sources, ...access }: EncoderView): void {
  $encoder.set(access)
  $encoderSources.set(sources)
}

export const loadEncoder = (): Promise<void> => roomApi.getEncoder().then(applyEncoder).catch(showError)

/** Creates a new token in place of the old one, or revokes it. */
export const switchEncoder = (isEnabled: boolean): Promise<void> =>
  roomApi.changeEncoder({ on: isEnabled }).then(applyEncoder).catch(showError)

/** Puts an encoder on the stage or takes it off. */
export function setEncoderOnStage({ personId }: EncoderSource, isOnStage: boolean): void {
  const request = isOnStage
    ? roomApi.goOnAir({ kind: 'encoder', personId, microphone: true, camera: true })
    : roomApi.goOffAir({ kind: 'encoder', personId })
  void request.catch(showError)
}
