import { type Cue, formatWebvtt } from '#lib/core/shared/text/webvtt.ts'
import { CaptionError, type CaptionFault, readCaptions, readValidCaptions, type SkippedCue } from './webvtt.ts'

/** So many skipped captions are named, the others are counted. */
const MAX_LISTED = 20

export interface NormalizedCaptions {
  /** WebVTT of our own. */
  written: string
  /** The number of its cues. */
  cues: number
  /** The first captions that were left out as invalid, and how many there were. */
  skipped: SkippedCue[]
  skippedCount: number
}

/** Captions as the product stores them, or the line for which they are refused. */
export type ParsedCaptions = NormalizedCaptions | { fault: CaptionFault; line: number; words: string }

/** Task of a worker process: WebVTT or SubRip to WebVTT. `skipInvalid`: an invalid caption is left out and named. */
export function parseCaptions({ text, skipInvalid }: { text: string; skipInvalid?: boolean }): ParsedCaptions {
  try {
    const { cues, skipped } = skipInvalid ? readValidCaptions(text) : { cues: readCaptions(text), skipped: [] }
    return { ...written(cues), skipped: skipped.slice(0, MAX_LISTED).map(toPlainObject), skippedCount: skipped.length }
  } catch (error) {
    if (!(error instanceof CaptionError)) throw error
    return toPlainObject(error)
  }
}

const written = (cues: Cue[]) => ({ written: formatWebvtt(cues), cues: cues.length })

// An error would lose its fields on the way between processes.
const toPlainObject = <Fault extends CaptionFault>({ fault, line, words }: CaptionError<Fault>) => ({
  fault,
  line,
  words,
})
