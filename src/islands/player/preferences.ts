import { deviceStorage, readJson, writeJson } from '#islands/stores/safe-storage.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'

/** Preferences for all media on this device. media-chrome stores the volume. */
export interface PlayerPreferences {
  speed: number
  captions: CaptionLang | null
}

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

const KEY = 'player.habits'

export function readPreferences(): PlayerPreferences {
  const stored = (readJson(deviceStorage, KEY) as Partial<PlayerPreferences> | null) ?? {}
  const speed = SPEEDS.find((option) => option === stored.speed) ?? 1
  return { speed, captions: stored.captions ?? null }
}

export function savePreferences(change: Partial<PlayerPreferences>): void {
  writeJson(deviceStorage, KEY, { ...readPreferences(), ...change })
}
