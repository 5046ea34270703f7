import { atom, computed } from 'nanostores'

/** The number of running foreground mutations; never below zero. */
export const $mutationCount = atom(0)
/** How many loaders are open; the shared loading flag is on while there is at least one. */
export const $loaderCount = atom(0)

export const $isMutating = computed($mutationCount, (count) => count > 0)
export const $isLoading = computed($loaderCount, (count) => count > 0)
/** The request of a server fault is final after this number of attempts. */
export const $isBusy = computed([$mutationCount, $loaderCount], (mutations, loaders) => mutations > 0 || loaders > 0)

export const startMutation = () => $mutationCount.set($mutationCount.get() + 1)
export const endMutation = () => $mutationCount.set(Math.max(0, $mutationCount.get() - 1))
export const openLoader = () => $loaderCount.set($loaderCount.get() + 1)
export const closeLoader = () => $loaderCount.set(Math.max(0, $loaderCount.get() - 1))

/** Counts a promise as a foreground mutation until it settles. */
export async function trackMutation<T>(promise: Promise<T>): Promise<T> {
  startMutation()
  try {
    return await promise
  } finally {
    endMutation()
  }
}

/** Sets the loading flag until the promise settles. */
export async function trackLoading<T>(promise: Promise<T>): Promise<T> {
  openLoader()
  try {
    return await promise
  } finally {
    closeLoader()
  }
}
