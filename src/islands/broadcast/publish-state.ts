/**
 * Why publishing does not go on: `denied` permission, no device (`none`), one that another program holds (`busy`), the
 * choice of a screen `dismissed`, a browser or an address that cannot (`unsupported`), a server that says no (`refused`)
 * or has no room (`full`).
 */
export type PublishFailure = 'denied' | 'none' | 'busy' | 'dismissed' | 'unsupported' | 'refused' | 'full'

export type PublishState =
  | { is: 'idle' }
  | { is: 'starting' }
  | { is: 'live' }
  | { is: 'reconnecting' }
  | { is: 'failed'; reason: PublishFailure }
