import { deviceStorage, readJson } from '#islands/stores/safe-storage.ts'

export const VISITS_STORAGE_KEY = 'masterclass visits'

/** Returns the visit keys of this device by masterclass id. */
export function readVisits(): Record<string, string> {
  const stored = readJson(deviceStorage, VISITS_STORAGE_KEY)
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, key]) => typeof key === 'string'))
}
