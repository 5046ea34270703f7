import { cleanCueText } from '#lib/core/shared/text/cue-text.ts'
import { type Cue, parseTimestamp } from '#lib/core/shared/text/webvtt.ts'

/** Why a caption is invalid: keys of `errors` and of `storage:captions.invalid`. */
type CueFault = 'caption_timing' | 'caption_time' | 'caption_negative' | 'caption_order'
/** Why a text is refused: keys of `errors`. */
export type CaptionFault = CueFault | 'caption_format' | 'caption_no_cues'

/** A skipped caption: the reason, its line from 1, and the text of the line. */
export interface SkippedCue {
  fault: CueFault
  line: number
  words: string
}

/** Names the line, from 1, and its text. */
export class CaptionError extends Error {
  readonly fault: CaptionFault
  readonly line: number
  readonly words: string

  constructor({ fault, line, words }: { fault: CaptionFault; line: number; words: string }) {
    super(`${fault} in line ${line}`)
    this.fault = fault
    this.line = line
    this.words = words
  }
}

const ARROW = '-->'
const MAX_EMPTY_LINES = 5
const NOT_SHOWN = /^(NOTE|STYLE|REGION)([ \t].*)?$/
const SETTING =
  /^(vertical:(rl|lr)|line:-?\d{1,3}(\.\d+)?%?(,(start|center|end))?|position:\d{1,3}(\.\d+)?%(,(line-left|center|line-right))?|size:\d{1,3}(\.\d+)?%|align:(start|center|end|left|right))$/

/**
 * Parses WebVTT (W3C, section 6.1) or SubRip, ordered by start. Common parsers of both formats ignore invalid content;
 * here the author has to be informed about missing text, so CaptionError is thrown. Styles, regions and notes are
 * dropped; captions may overlap.
 */
export function readCaptions(text: string): Cue[] {
  return parseCues(text, (invalid) => {
    throw new CaptionError(invalid)
  })
}

/** As readCaptions, but invalid captions are skipped and returned. Throws CaptionError when no caption is valid. */
export function readValidCaptions(text: string): { cues: Cue[]; skipped: SkippedCue[] } {
  const skipped: SkippedCue[] = []
  try {
    return { cues: parseCues(text, (invalid) => skipped.push(invalid)), skipped }
  } catch (error) {
    const [first] = skipped
    throw first && error instanceof CaptionError && error.fault === 'caption_no_cues' ? new CaptionError(first) : error
  }
}

type Report = (invalid: SkippedCue) => void

function parseCues(text: string, report: Report): Cue[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
    .split(/\r\n|\n|\r/)
  const webvtt = /^WEBVTT([ \t].*)?$/.test(lines[0] ?? '')
  const cues = webvtt
    ? readBlocks(lines, { from: afterBlock(lines, 0), subrip: false, report })
    : readSubrip(lines, report)
  if (cues.length === 0) throw new CaptionError(faultAt('caption_no_cues', 1, lines[0] ?? ''))
  return cues.sort((a, b) => a.start - b.start)
}

function readSubrip(lines: string[], report: Report): Cue[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  const firstLine = lines[first] ?? ''
  const timing = firstLine.includes(ARROW) || (NUMBER.test(firstLine) && nextLine(lines, first + 1).includes(ARROW))
  if (!timing) throw new CaptionError(faultAt('caption_format', Math.max(first, 0) + 1, firstLine))
  return readBlocks(lines, { from: first, subrip: true, report })
}

function readBlocks(lines: string[], { from, subrip, report }: { from: number; subrip: boolean; report: Report }) {
  const cues: Cue[] = []
  // SubRip does not allow empty lines inside a caption, but files contain them: blocks without times continue the
  // previous caption.
  let more: string[] = []
  let invalid = false
  const complete = () => {
    const last = cues.at(-1)
    if (last && more.length > 0) last.text = cleanCueText([last.text, ...more].join('\n'))
    more = []
  }
  let at = from
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') at += 1
    else if (!subrip && NOT_SHOWN.test(line)) at = afterBlock(lines, at + 1)
    else if (line.includes(ARROW) || (lines[at + 1] ?? '').includes(ARROW)) {
      const timed = line.includes(ARROW) ? at : at + 1
      const end = afterBlock(lines, timed + 1)
      const words = cleanCueText(stripStyling(lines.slice(timed + 1, end).join('\n'), subrip))
      complete()
      const timing = readTiming(lines[timed] ?? '', timed + 1)
      invalid = 'fault' in timing
      if ('fault' in timing) report(timing)
      else if (words !== '') cues.push({ ...timing, text: words })
      at = end
    } else if (subrip && NUMBER.test(line) && isSeparateNumber(lines, at)) at += 1
    else {
      const end = afterBlock(lines, at)
      // A block after an invalid caption belongs to it.
      if (subrip && !invalid && cues.length > 0) more.push(stripStyling(lines.slice(at, end).join('\n'), true))
      else if (!subrip || !invalid) report(faultAt('caption_timing', at + 1, line))
      at = end
    }
  }
  complete()
  return cues
}

const NUMBER = /^\s*\d+\s*$/

/** Whether an empty line separates the number of a caption from its times. */
const isSeparateNumber = (lines: string[], at: number): boolean =>
  (lines[at + 1] ?? '').trim() === '' && nextLine(lines, at + 1).includes(ARROW)

/** The first line with text. */
const nextLine = (lines: string[], from: number): string =>
  lines.slice(from, from + MAX_EMPTY_LINES).find((line) => line.trim() !== '') ?? ''

/** The first line after a block: an empty one, or the times of the next caption where the empty line is missing. */
function afterBlock(lines: string[], from: number): number {
  let end = from
  while (end < lines.length && (lines[end] ?? '').trim() !== '') {
    if ((lines[end] ?? '').includes(ARROW))
      return end > from && /^\s*\d+\s*$/.test(lines[end - 1] ?? '') ? end - 1 : end
    end += 1
  }
  return end
}

function readTiming(line: string, number: number): Omit<Cue, 'text'> | SkippedCue {
  const arrow = line.indexOf(ARROW)
  const from = line.slice(0, arrow).trim()
  const [to = '', ...rest] = line
    .slice(arrow + ARROW.length)
    .trim()
    .split(/\s+/)
  if (from.startsWith('-') || to.startsWith('-')) return faultAt('caption_negative', number, line)
  const [start, end] = [parseTimestamp(from), parseTimestamp(to)]
  if (start === null || end === null) return faultAt('caption_time', number, line)
  if (end <= start) return faultAt('caption_order', number, line)
  const settings = rest.filter((setting) => SETTING.test(setting))
  return { start, end, ...(settings.length > 0 && { settings: settings.join(' ') }) }
}

const faultAt = <Fault extends CaptionFault>(fault: Fault, line: number, words: string) => ({
  fault,
  line,
  words: words.trim().slice(0, 80),
})

// Tags such as `{\an8}` come from Advanced SubStation by way of SubRip files.
function stripStyling(text: string, subrip: boolean): string {
  return subrip ? text.replace(/\{\\[^{}]*\}/g, '') : text
}
