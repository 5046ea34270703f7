import type { WatchedRanges } from '../schema.ts'

type Range = readonly [from: number, to: number]
export type Ranges = readonly Range[]

/** Shorter gaps are closed: playback continues between two samples. */
const MAX_GAP_SECONDS = 0.5
/** Tolerance at the ends of a media file: seconds, and at most this share of the duration. */
const TOLERANCE = { seconds: 1.5, share: 0.05 }
/** Maximum playback speed, and a margin for clocks and buffers. */
const MAX_RATE = { speed: 2, graceSeconds: 60 }

/**
 * Union of watched ranges, ascending, without overlaps, in tenths of a second. It never shrinks, and the order of the
 * parts does not matter: closing small gaps after the union equals closing them before.
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
    // Compared in tenths because of floating-point error: 0.7 - 0.2 is not 0.5.
    if (last && Math.round((from - last[1]) * 10) <= MAX_GAP_SECONDS * 10) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** The ranges within the duration; all of them while the duration is unknown. */
export function clampRanges(ranges: Ranges, duration: number | null): Ranges {
  if (duration === null) return ranges
  return ranges.flatMap(([from, to]): Range[] => (from < duration ? [[from, Math.min(to, duration)]] : []))
}

/** Total seconds of merged ranges. */
export function watchedSeconds(ranges: Ranges): number {
  return roundToTenth(ranges.reduce((sum, [from, to]) => sum + to - from, 0))
}

/** The watched share, 0 to 1; 0 while the duration is unknown. */
export function watchedShare(ranges: Ranges, duration: number | null): number {
  if (!duration) return 0
  const seconds = watchedSeconds(clampRanges(mergeRanges(ranges), duration))
  return seconds + toleranceSeconds(duration) >= duration ? 1 : seconds / duration
}

/** Whether at least `percent` of the media was watched. */
export function isWatched(ranges: Ranges, duration: number | null, percent: number): boolean {
  if (!duration) return false
  const seconds = watchedSeconds(clampRanges(mergeRanges(ranges), duration))
  return seconds + toleranceSeconds(duration) >= (duration * percent) / 100
}

/** Whether the total can have been watched since the lesson was first opened. */
export function isPlausible(watched: WatchedRanges, openedAt: Date, now: Date): boolean {
  const seconds = Object.values(watched).reduce((sum, ranges) => sum + watchedSeconds(ranges), 0)
  return seconds <= ((now.getTime() - openedAt.getTime()) / 1000) * MAX_RATE.speed + MAX_RATE.graceSeconds
}

const roundToTenth = (seconds: number): number => Math.round(seconds * 10) / 10
const toleranceSeconds = (duration: number): number => Math.min(TOLERANCE.seconds, duration * TOLERANCE.share)
