import type { TimeSpan } from './compose-plan.ts'

/** A period of wall-clock time, ms since 1970. */
export interface TimeRange {
  from: number
  until: number
}

/** Whether an instant is in one of the ranges. */
export const isInRanges = (at: number, ranges: readonly TimeRange[]): boolean =>
  ranges.some(({ from, until }) => at >= from && at < until)

/** The parts of spans that are in the ranges, which do not overlap. */
export const clipSpans = (spans: readonly TimeSpan[], ranges: readonly TimeRange[]): TimeSpan[] =>
  spans.flatMap((span) =>
    ranges.flatMap((range) => {
      const [from, until] = [Math.max(span.from, range.from), Math.min(span.until, range.until)]
      return until > from ? [{ ...span, from, until }] : []
    }),
  )
