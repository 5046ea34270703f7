import type { WorkshopAccess } from '#lib/core/shared/event/live-event.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { MasterclassContent, Part } from './schema.ts'

export type WatchedRange = [from: number, to: number]

/** Whether the page lets people in at a moment. */
export function openState(
  { openFrom, openTo }: Pick<MasterclassContent, 'openFrom' | 'openTo'>,
  now: Date,
): 'early' | 'open' | 'over' {
  if (openFrom && new Date(openFrom) > now) return 'early'
  return openTo && new Date(openTo) <= now ? 'over' : 'open'
}

/** What is asked at the door: an event that is for students alone opens by no other word. */
export const effectiveGate = (gate: MasterclassContent['gate'], access: WorkshopAccess): MasterclassContent['gate'] =>
  access === 'students' ? 'students' : gate

/** Whether the personal link of a registration lets in: where a code or an account is asked for, it does not. */
export const canEnterByLink = (gate: MasterclassContent['gate']): boolean => gate === 'open' || gate === 'email'

/** Since when a part may be watched, by a visitor who came first at `firstAt`; null: always. */
export function partOpensAt(part: Pick<Part, 'unlock' | 'unlockAt' | 'unlockDays'>, firstAt: Date): Date | null {
  if (part.unlock === 'date') return part.unlockAt ? new Date(part.unlockAt) : null
  return part.unlock === 'afterDays' ? new Date(firstAt.getTime() + part.unlockDays * DAY_MS) : null
}

/** Whether a visitor's days to watch are over. */
export function hasExpired({ watchDays }: Pick<MasterclassContent, 'watchDays'>, firstAt: Date, now: Date): boolean {
  return watchDays !== null && now.getTime() >= firstAt.getTime() + watchDays * DAY_MS
}

/** When a visitor's timer ends: for everybody at once, or so many minutes after the first visit; null without one. */
export function timerEnd(
  { timer, timerUntil, timerMinutes }: Pick<MasterclassContent, 'timer' | 'timerUntil' | 'timerMinutes'>,
  firstAt: Date,
): Date | null {
  if (timer === 'until') return timerUntil ? new Date(timerUntil) : null
  return timer === 'evergreen' ? new Date(firstAt.getTime() + timerMinutes * 60_000) : null
}

/** The code as people mean it: without case and blanks. */
export const isSameCode = (typed: string, code: string): boolean =>
  code !== '' && normalizeCode(typed) === normalizeCode(code)

/** Stretches of seconds in order, without overlap; what touches becomes one. Empty and backward ones are dropped. */
export function mergeRanges(ranges: readonly WatchedRange[]): WatchedRange[] {
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

/** How many of the visitors watched each of `steps` equal pieces of a film of that length, at least half a piece. */
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
