import { deviceStorage, readJson, writeJson } from '#islands/stores/safe-storage.ts'
import type { CaptionLang } from '#lib/core/shared/storing.ts'

/** What a person chose once and means for every recording on this device. media-chrome keeps the volume. */
export interface Habits {
  speed: number
  captions: CaptionLang | null
}

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

const KEY = 'player.habits'

export function readHabits(): Habits {
  const kept = (readJson(deviceStorage, KEY) as Partial<Habits> | null) ?? {}
  const speed = SPEEDS.find((one) => one === kept.speed) ?? 1
  return { speed, captions: kept.captions ?? null }
}

export function keepHabit(habit: Partial<Habits>): void {
  writeJson(deviceStorage, KEY, { ...readHabits(), ...habit })
}
