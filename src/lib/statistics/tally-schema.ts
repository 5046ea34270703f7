import type { Device } from '#lib/core/shared/event/live-event.ts'

/** A stay in the room; instants in milliseconds since 1970. */
export type Stay = readonly [from: number, to: number]

/** What the numbers know of one viewer. Staff are no viewers. */
export interface ViewerTally {
  firstAt: number
  lastAt: number
  /** Since when they are here, and since when their window is out of sight; null where it is not so. */
  hereSince: number | null
  hiddenSince: number | null
  /** Of whole stays and whole absences of mind, within the live time. */
  watchedMs: number
  hiddenMs: number
  stays: Stay[]
  /** What they came on last, as far as their browser told. */
  device: Device | null
  messages: number
  questions: number
  reactions: number
  votes: number
  clicks: number
  saw: string[]
  clicked: string[]
}

/** Of a whole session. */
export interface Totals {
  startedAt: number | null
  finishedAt: number | null
  viewers: number
  /** Viewers who had registered. */
  came: number
  online: number
  peak: number
  peakAt: number | null
  /** Of whole stays; of those who are here, the sum of the instants since when. */
  watchedMs: number
  hereSum: number
  /** Who was still there in the last minutes; null before the end. */
  stayed: number | null
  messages: number
  questions: number
  answers: number
  reactions: number
  votes: number
  saw: number
  clicks: number
  staffMessages: number
}

/** Of one minute; `online` is how it ended, `peak` the most in it. */
export interface MinuteTally {
  joined: number
  left: number
  messages: number
  questions: number
  reactions: number
  clicks: number
  online: number
  peak: number
}

/** Of one button: how often it was shown, how many people saw and pressed it, and how often it was pressed. */
export interface ButtonTally {
  label: string
  shown: number
  saw: number
  clicked: number
  clicks: number
}

export const emptyTotals = (): Totals => ({
  startedAt: null,
  finishedAt: null,
  viewers: 0,
  came: 0,
  online: 0,
  peak: 0,
  peakAt: null,
  watchedMs: 0,
  hereSum: 0,
  stayed: null,
  messages: 0,
  questions: 0,
  answers: 0,
  reactions: 0,
  votes: 0,
  saw: 0,
  clicks: 0,
  staffMessages: 0,
})
