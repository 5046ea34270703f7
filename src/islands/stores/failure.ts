import { atom } from 'nanostores'

/** The shared error flag and its message; an empty message means the generic one. */
export const $failure = atom<{ on: boolean; message: string }>({ on: false, message: '' })

export const setFailure = (message = '') => $failure.set({ on: true, message })

/** Called on every navigation, including pages that are restored from the browser's cache. */
export function clearFailure(): void {
  if ($failure.get().on) $failure.set({ on: false, message: '' })
}
