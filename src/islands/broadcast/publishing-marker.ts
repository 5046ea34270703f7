import { tabStorage } from '#islands/stores/safe-storage.ts'

const STORAGE_PREFIX = 'on-air:'

/** Whether this tab was publishing under that name when it was reloaded. */
export const wasPublishing = (key: string): boolean => tabStorage.getItem(STORAGE_PREFIX + key) !== null

export function storePublishing(key: string, live: boolean): void {
  if (live) tabStorage.setItem(STORAGE_PREFIX + key, '1')
  else tabStorage.removeItem(STORAGE_PREFIX + key)
}
