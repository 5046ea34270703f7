import type { WorkshopAccess } from '#lib/core/shared/event/live-event.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import type { MasterclassContent, MasterclassPart } from './schema.ts'

export type WatchedRange = [from: number, to: number]

/** Whether the page is open at an instant. */
export function openState(
  { openFrom, openTo }: Pick<MasterclassContent, 'openFrom' | 'openTo'>,
  now: Date,
): 'early' | 'open' | 'over' {
  if (openFrom && new Date(openFrom) > now) return 'early'
  return openTo && new Date(openTo) <= now ? 'over' : 'open'
}

/** Effective gate: an event for students only is open to students only. */
export const effectiveGate = (gate: MasterclassContent['gate'], access: WorkshopAccess): MasterclassContent['gate'] =>
  access === 'students' ? 'students' : gate

/** Whether the personal link of a registration is sufficient to enter: not where a code or an account is required. */
export const canEnterByLink = (gate: MasterclassContent['gate']): boolean => gate === 'open' || gate === 'email'

/** When a part opens for a visitor whose first visit was at `firstAt`; null: always open. */
export function partOpensAt(
  part: Pick<MasterclassPart, 'unlock' | 'unlockAt' | 'unlockDays'>,
  firstAt: Date,
): Date | null {
  if (part.unlock === 'date') return part.unlockAt ? new Date(part.unlockAt) : null
  return part.unlock === 'afterDays' ? new Date(firstAt.getTime() + part.unlockDays * DAY_MS) : null
}

/** Whether a visitor's time to watch has expired. */
export function hasExpired({ watchDays }: Pick<MasterclassContent, 'watchDays'>, firstAt: Date, now: Date): boolean {
  return watchDays !== null && now.getTime() >= firstAt.getTime() + watchDays * DAY_MS
}

/** End of a visitor's timer: fixed, or minutes after the first visit; null without one. */
export function timerEnd(
  { timer, timerUntil, timerMinutes }: Pick<MasterclassContent, 'timer' | 'timerUntil' | 'timerMinutes'>,
  firstAt: Date,
): Date | null {
  if (timer === 'until') return timerUntil ? new Date(timerUntil) : null
  return timer === 'evergreen' ? new Date(firstAt.getTime() + timerMinutes * MINUTE_MS) : null
}

/** Compares access codes without case and whitespace. */
export const isSameCode = (typed: string, code: string): boolean =>
  code !== '' && normalizeCode(typed) === normalizeCode(code)

/** Merges ranges of seconds: sorted, without overlap; adjacent ones are joined, empty and reversed ones dropped. */
export function mergeWatchedRanges(ranges: readonly WatchedRange[]): WatchedRange[] {
  const merged: WatchedRange[] = []
  for (const [from, to] of [...ranges].filter(([a, b]) => b > a).sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

export const sumSeconds = (ranges: readonly WatchedRange[]): number =>
  ranges.reduce((sum, [from, to]) => sum + to - from, 0)

/** Number of visitors who watched at least half of each of `steps` equal steps of a video. */
export function viewSeries(
  visits: readonly (readonly WatchedRange[])[],
  lengthSeconds: number,
  steps: number,
): number[] {
  const stepSeconds = lengthSeconds / steps
  return Array.from({ length: steps }, (_, step) => {
    const [from, to] = [step * stepSeconds, (step + 1) * stepSeconds]
    return visits.filter((ranges) => {
      const watchedSeconds = ranges.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, to) - Math.max(a, from)), 0)
      return watchedSeconds >= stepSeconds / 2
    }).length
  })
}

const normalizeCode = (text: string): string => text.replace(/\s+/g, '').toLocaleLowerCase('uk')
