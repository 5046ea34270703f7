import { tabStorage } from '#islands/stores/safe-storage.ts'

const NAME = 'on-air:'

/** Whether this tab was publishing under that name when it was reloaded. */
export const wasLive = (key: string): boolean => tabStorage.getItem(NAME + key) !== null

export function rememberLive(key: string, live: boolean): void {
  if (live) tabStorage.setItem(NAME + key, '1')
  else tabStorage.removeItem(NAME + key)
}
