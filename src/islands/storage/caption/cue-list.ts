import { editableCueText } from '#lib/core/shared/text/cue-text.ts'
import { type Cue, formatTimestamp } from '#lib/core/shared/text/webvtt.ts'

/** Duration of a new cue, and the minimum after a split, in seconds. */
const NEW_CUE_SECONDS = 2
const MIN_CUE_SECONDS = 0.1

/** Problem of a cue's times: keys `storage:captions.<problem>`. */
export type CueProblem = 'order' | 'late'

/** Cues in the form in which they are edited. */
export const toEditableCues = (cues: readonly Cue[]): Cue[] =>
  cues.map((cue) => ({ ...cue, text: editableCueText(cue.text) }))

export const hasText = (cues: readonly Cue[]): boolean => cues.some(({ text }) => text.trim() !== '')

/** Splits a cue at a position of its text; the time is divided in proportion to the characters. */
export function splitCue(cues: readonly Cue[], index: number, caret: number): Cue[] {
  const cue = cues[index]
  if (!cue) return [...cues]
  const [before, behind] = [cue.text.slice(0, caret).trimEnd(), cue.text.slice(caret).trimStart()]
  const length = cue.end - cue.start
  const share = before.length / Math.max(1, before.length + behind.length)
  const most = Math.max(MIN_CUE_SECONDS, length - MIN_CUE_SECONDS)
  const middle = roundToMs(cue.start + Math.min(most, Math.max(MIN_CUE_SECONDS, length * share)))
  const halves = [
    { ...cue, end: middle, text: before },
    { ...cue, start: middle, end: Math.max(cue.end, roundToMs(middle + MIN_CUE_SECONDS)), text: behind },
  ]
  return cues.toSpliced(index, 1, ...halves)
}

/** Joins a cue with the next one. */
export function joinCues(cues: readonly Cue[], index: number): Cue[] {
  const [cue, next] = [cues[index], cues[index + 1]]
  if (!cue || !next) return [...cues]
  const text = [cue.text, next.text].filter((cueText) => cueText.trim() !== '').join('\n')
  return cues.toSpliced(index, 2, { ...cue, end: Math.max(cue.end, next.end), text })
}

/** Adds an empty cue after the given index (-1: at the start), before the next one if there is space. */
export function addCue(cues: readonly Cue[], index: number, from = cues[index]?.end ?? 0): Cue[] {
  const next = cues[index + 1]?.start
  const end =
    next !== undefined && next - from >= MIN_CUE_SECONDS
      ? Math.min(from + NEW_CUE_SECONDS, next)
      : from + NEW_CUE_SECONDS
  return cues.toSpliced(index + 1, 0, { start: roundToMs(from), end: roundToMs(end), text: '' })
}

export const changeCue = (cues: readonly Cue[], index: number, change: Partial<Cue>): Cue[] =>
  cues.map((cue, at) => (at === index ? { ...cue, ...change } : cue))

/** Sets the start of a cue; one that ended before keeps its duration. */
export function startAt(cues: readonly Cue[], index: number, seconds: number): Cue[] {
  const start = roundToMs(seconds)
  return cues.map((cue, at) =>
    at === index ? { ...cue, start, end: cue.end > start ? cue.end : roundToMs(start + cue.end - cue.start) } : cue,
  )
}

/** The problem of a cue's times; null for valid ones. The duration is known in whole seconds. */
export function findProblem({ start, end }: Cue, duration: number | null): CueProblem | null {
  if (end <= start) return 'order'
  return duration !== null && start > duration + 1 ? 'late' : null
}

/** `00:01:02.500` without zero hours: `01:02.500`. */
export const formatCueTime = (seconds: number): string => formatTimestamp(seconds).replace(/^00:/, '')

const roundToMs = (seconds: number): number => Math.round(seconds * 1000) / 1000
