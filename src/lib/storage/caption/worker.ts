import { type Cue, formatWebvtt } from '#lib/core/shared/text/webvtt.ts'
import { CaptionError, type CaptionFault, readCaptions, readValidCaptions, type SkippedCue } from './webvtt.ts'

/** Skipped captions that are listed; the others are only counted. */
const MAX_LISTED = 20

export interface NormalizedCaptions {
  /** Normalized WebVTT. */
  written: string
  /** Number of its cues. */
  cues: number
  /** The first skipped captions, and how many were skipped. */
  skipped: SkippedCue[]
  skippedCount: number
}

/** Captions as they are stored, or the line for which they are refused. */
export type ParsedCaptions = NormalizedCaptions | { fault: CaptionFault; line: number; words: string }

/**
 * Task of a worker process: converts WebVTT or SubRip to WebVTT. `skipInvalid`: invalid captions are skipped and
 * listed.
 */
export function parseCaptions({ text, skipInvalid }: { text: string; skipInvalid?: boolean }): ParsedCaptions {
  try {
    const { cues, skipped } = skipInvalid ? readValidCaptions(text) : { cues: readCaptions(text), skipped: [] }
    return { ...written(cues), skipped: skipped.slice(0, MAX_LISTED), skippedCount: skipped.length }
  } catch (error) {
    if (!(error instanceof CaptionError)) throw error
    // Errors lose their fields when they are sent between processes.
    const { fault, line, words } = error
    return { fault, line, words }
  }
}

const written = (cues: Cue[]) => ({ written: formatWebvtt(cues), cues: cues.length })
