import type { Device } from '#lib/core/shared/event/live-event.ts'

/** A stay in the room; instants in milliseconds since 1970. */
export type ViewingInterval = readonly [from: number, to: number]

/** Counters of one viewer. Staff are not counted as viewers. */
export interface ViewerTally {
  firstAt: number
  lastAt: number
  /** Present since, and hidden since; null if not. */
  hereSince: number | null
  hiddenSince: number | null
  /** Total watched and hidden time of completed stays, within the live time. */
  watchedMs: number
  hiddenMs: number
  stays: ViewingInterval[]
  /** Last device, if known. */
  device: Device | null
  messages: number
  questions: number
  reactions: number
  votes: number
  clicks: number
  saw: string[]
  clicked: string[]
}

/** Totals of a session. */
export interface Totals {
  startedAt: number | null
  finishedAt: number | null
  viewers: number
  /** Viewers who had registered. */
  came: number
  online: number
  peak: number
  peakAt: number | null
  /** Completed stays; for present viewers the sum of their join instants. */
  watchedMs: number
  hereSum: number
  /** Viewers present in the last minutes; null before the end. */
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

/** Counters of one minute; `online` at its end, `peak` the maximum in it. */
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

/** Counters of one button: displays, participants who saw and clicked it, and clicks. */
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
