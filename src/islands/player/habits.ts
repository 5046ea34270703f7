import type { CaptionLang } from '#lib/storage/schema.ts'

/** What a person chose once and means for every recording on this device. media-chrome keeps the volume. */
export interface Habits {
  speed: number
  captions: CaptionLang | null
}

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

const KEY = 'player.habits'

export function readHabits(): Habits {
  const kept = read<Partial<Habits>>(KEY) ?? {}
  const speed = SPEEDS.find((one) => one === kept.speed) ?? 1
  return { speed, captions: kept.captions ?? null }
}

export function keepHabit(habit: Partial<Habits>): void {
  write(KEY, { ...readHabits(), ...habit })
}

/** A value of local storage; null when there is none, or the browser keeps nothing. */
export function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // A full or forbidden storage costs the habit, never the lesson.
  }
}
