/**
 * Reasons why publishing failed: `denied` permission, no device (`none`), a device in use by another program (`busy`),
 * a `dismissed` screen selection, an unsupported browser or an insecure page (`unsupported`), a refusal (`refused`) or
 * no capacity (`full`) of the server.
 */
export type PublishFailure = 'denied' | 'none' | 'busy' | 'dismissed' | 'unsupported' | 'refused' | 'full'

export type PublishState =
  | { is: 'idle' }
  | { is: 'starting' }
  | { is: 'live' }
  | { is: 'reconnecting' }
  | { is: 'failed'; reason: PublishFailure }
