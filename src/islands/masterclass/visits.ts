import { deviceStorage, readJson } from '#islands/stores/safe-storage.ts'

export const VISITS = 'masterclass visits'

/** The key of this visitor's own page by masterclass id. */
export function readVisits(): Record<string, string> {
  const stored = readJson(deviceStorage, VISITS)
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, key]) => typeof key === 'string'))
}
