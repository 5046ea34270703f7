import { useSyncExternalStore } from 'react'

/** False on the server and while the browser takes over the server's markup, true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )

const subscribe = () => () => undefined
