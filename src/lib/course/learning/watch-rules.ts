import type { WatchedRanges } from '../schema.ts'

export type Range = readonly [from: number, to: number]
export type Ranges = readonly Range[]

/** Gaps of at most so many seconds are none: a film goes on between two looks at it. */
const MAX_GAP_SECONDS = 0.5
/** What the ends of a film and the steps of a player may swallow, in seconds and as a share of the film. */
const TOLERANCE = { seconds: 1.5, share: 0.05 }
/** Nobody watches faster than the player plays, but for the first minute, which clocks and buffers blur. */
const MAX_RATE = { speed: 2, graceSeconds: 60 }

/**
 * The union of what was watched, ascending, apart, in tenths of a second. It never shrinks, and neither order nor
 * repetition of the parts matters: closing small gaps after a union gives the same as closing them before it too.
 */
export function mergeRanges(...parts: readonly Ranges[]): [number, number][] {
  const all = parts
    .flat()
    .map(([from, to]): [number, number] => [roundToTenth(from), roundToTenth(to)])
    .filter(([from, to]) => from >= 0 && to > from)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const merged: [number, number][] = []
  for (const [from, to] of all) {
    const last = merged.at(-1)
    // Compared in tenths: 0.7 - 0.2 is not 0.5 for a computer.
    if (last && Math.round((from - last[1]) * 10) <= MAX_GAP_SECONDS * 10) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** The part of the ranges that lies within the film; all of it while nobody knows how long the film is. */
export function clampRanges(ranges: Ranges, duration: number | null): Ranges {
  if (duration === null) return ranges
  return ranges.flatMap(([from, to]): Range[] => (from < duration ? [[from, Math.min(to, duration)]] : []))
}

/** Seconds that merged ranges hold. */
export function watchedSeconds(ranges: Ranges): number {
  return roundToTenth(ranges.reduce((sum, [from, to]) => sum + to - from, 0))
}

/** The share of a film that was watched, 0 to 1; 0 while its length is unknown. */
export function watchedShare(ranges: Ranges, duration: number | null): number {
  if (!duration) return 0
  const seconds = watchedSeconds(clampRanges(mergeRanges(ranges), duration))
  return seconds + toleranceSeconds(duration) >= duration ? 1 : seconds / duration
}

/** Whether at least so many percent of a film were watched. */
export function isWatched(ranges: Ranges, duration: number | null, percent: number): boolean {
  if (!duration) return false
  const seconds = watchedSeconds(clampRanges(mergeRanges(ranges), duration))
  return seconds + toleranceSeconds(duration) >= (duration * percent) / 100
}

/** Whether so much can have been watched since the lesson was first opened. */
export function isPlausible(watched: WatchedRanges, openedAt: Date, now: Date): boolean {
  const seconds = Object.values(watched).reduce((sum, ranges) => sum + watchedSeconds(ranges), 0)
  return seconds <= ((now.getTime() - openedAt.getTime()) / 1000) * MAX_RATE.speed + MAX_RATE.graceSeconds
}

const roundToTenth = (seconds: number): number => Math.round(seconds * 10) / 10
const toleranceSeconds = (duration: number): number => Math.min(TOLERANCE.seconds, duration * TOLERANCE.share)
