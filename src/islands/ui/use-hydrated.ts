import { useSyncExternalStore } from 'react'

/** False on the server and during hydration, true afterwards. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )

const subscribe = () => () => undefined
