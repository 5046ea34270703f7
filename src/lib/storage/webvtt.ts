import { cleanCueText } from '#lib/core/shared/cue-text.ts'
import { type Cue, secondsOf } from '#lib/core/shared/webvtt.ts'

/** Why a text is no captions: keys of `errors`. */
export type CaptionFault =
  | 'caption_format'
  | 'caption_timing'
  | 'caption_time'
  | 'caption_negative'
  | 'caption_order'
  | 'caption_no_cues'

/** Names the line, from 1, and the words that stand there. */
export class CaptionError extends Error {
  readonly fault: CaptionFault
  readonly line: number
  readonly words: string

  constructor(fault: CaptionFault, line: number, words: string) {
    super(`${fault} in line ${line}`)
    this.fault = fault
    this.line = line
    this.words = words.trim().slice(0, 80)
  }
}

const ARROW = '-->'
const NOT_SHOWN = /^(NOTE|STYLE|REGION)([ \t].*)?$/
const SETTING =
  /^(vertical:(rl|lr)|line:-?\d{1,3}(\.\d+)?%?(,(start|center|end))?|position:\d{1,3}(\.\d+)?%(,(line-left|center|line-right))?|size:\d{1,3}(\.\d+)?%|align:(start|center|end|left|right))$/

/**
 * Captions from WebVTT (W3C, section 6.1) or SubRip, in the order of their beginnings. Readers of both formats pass over
 * what they do not understand; here somebody wants to know why words are missing, so it is refused: CaptionError. Styles,
 * regions and notes are left out; captions may overlap.
 */
export function readCaptions(text: string): Cue[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
    .split(/\r\n|\n|\r/)
  const webvtt = /^WEBVTT([ \t].*)?$/.test(lines[0] ?? '')
  const cues = webvtt ? readBlocks(lines, afterBlock(lines, 0)) : readSubrip(lines)
  if (cues.length === 0) throw new CaptionError('caption_no_cues', 1, lines[0] ?? '')
  return cues.sort((a, b) => a.start - b.start)
}

function readSubrip(lines: string[]): Cue[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  const begins = lines[first] ?? ''
  const timing = begins.includes(ARROW) || (/^\s*\d+\s*$/.test(begins) && (lines[first + 1] ?? '').includes(ARROW))
  if (!timing) throw new CaptionError('caption_format', Math.max(first, 0) + 1, begins)
  return readBlocks(lines, first, true)
}

function readBlocks(lines: string[], from: number, subrip = false): Cue[] {
  const cues: Cue[] = []
  let at = from
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') at += 1
    else if (!subrip && NOT_SHOWN.test(line)) at = afterBlock(lines, at)
    else if (line.includes(ARROW) || (lines[at + 1] ?? '').includes(ARROW)) {
      const timed = line.includes(ARROW) ? at : at + 1
      const end = afterBlock(lines, timed + 1)
      const words = cleanCueText(plain(lines.slice(timed + 1, end).join('\n'), subrip))
      const cue = { ...readTiming(lines[timed] ?? '', timed + 1), text: words }
      if (words !== '') cues.push(cue)
      at = end
    } else if (subrip && cues.length > 0) at = goOn(cues, lines, at)
    else throw new CaptionError('caption_timing', at + 1, line)
  }
  return cues
}

// SubRip knows no empty line inside of a caption, but people write them.
function goOn(cues: Cue[], lines: string[], at: number): number {
  const end = afterBlock(lines, at)
  const last = cues.at(-1)
  if (last) last.text = cleanCueText(`${last.text}\n${plain(lines.slice(at, end).join('\n'), true)}`)
  return end
}

/** The first line after a block: an empty one, or the next caption's times where the empty line is missing. */
function afterBlock(lines: string[], from: number): number {
  let end = from
  while (end < lines.length && (lines[end] ?? '').trim() !== '') {
    if ((lines[end] ?? '').includes(ARROW))
      return end > from && /^\s*\d+\s*$/.test(lines[end - 1] ?? '') ? end - 1 : end
    end += 1
  }
  return end
}

function readTiming(line: string, number: number): Omit<Cue, 'text'> {
  const [, from = '', to = '', rest = ''] = /^\s*(\S+)\s*-->\s*(\S+)(.*)$/.exec(line) ?? []
  if (from.startsWith('-') || to.startsWith('-')) throw new CaptionError('caption_negative', number, line)
  const [start, end] = [secondsOf(from), secondsOf(to)]
  if (start === null || end === null) throw new CaptionError('caption_time', number, line)
  if (end <= start) throw new CaptionError('caption_order', number, line)
  const settings = rest.split(/\s+/).filter((one) => SETTING.test(one))
  return { start, end, ...(settings.length > 0 && { settings: settings.join(' ') }) }
}

// `{\an8}` and the like come from Advanced SubStation by way of SubRip files.
function plain(text: string, subrip: boolean): string {
  return subrip ? text.replace(/\{\\[^{}]*\}/g, '') : text
}
