import { atom, computed } from 'nanostores'

/** How many foreground mutations are under way; never below zero. */
export const $mutations = atom(0)
/** How many loaders are open; the shared loading flag is on while there is at least one. */
export const $loaders = atom(0)

export const $mutating = computed($mutations, (count) => count > 0)
export const $loading = computed($loaders, (count) => count > 0)
/** What the full-screen spinner follows. */
export const $busy = computed([$mutations, $loaders], (mutations, loaders) => mutations > 0 || loaders > 0)

export const startMutation = () => $mutations.set($mutations.get() + 1)
export const endMutation = () => $mutations.set(Math.max(0, $mutations.get() - 1))
export const openLoader = () => $loaders.set($loaders.get() + 1)
export const closeLoader = () => $loaders.set(Math.max(0, $loaders.get() - 1))

/** Counts a promise as a foreground mutation until it settles, whichever way. */
export async function foreground<T>(work: Promise<T>): Promise<T> {
  startMutation()
  try {
    return await work
  } finally {
    endMutation()
  }
}

/** Holds the loading flag while the promise is open. */
export async function loading<T>(work: Promise<T>): Promise<T> {
  openLoader()
  try {
    return await work
  } finally {
    closeLoader()
  }
}
