import { escapeText } from '#lib/core/shared/text/escape.ts'
import type { Cue } from '#lib/core/shared/text/webvtt.ts'

/** Maximum characters of a line and of a cue of two lines, as in broadcasting. */
const LINE_CHARS = 42
const CUE_CHARS = 2 * LINE_CHARS
/** Speech recognition sometimes stretches a text over a long silence. Seconds. */
const MAX_CUE_SECONDS = 7

/** Recognized speech as readable cues: two lines at most, long ones divided in proportion to their characters. */
export function splitIntoCues(spoken: readonly { start: number; end: number; text: string }[]): Cue[] {
  return spoken.flatMap(({ start, end, text }) => {
    const lines = splitText(text)
    const letters = lines.reduce((sum, line) => sum + line.length, 0)
    const duration = Math.min(end - start, lines.length * MAX_CUE_SECONDS)
    let before = 0
    return lines.map((line) => {
      const from = start + (duration * before) / letters
      before += line.length
      return { start: from, end: start + (duration * before) / letters, text: escapeText(breakIntoTwoLines(line)) }
    })
  })
}

function splitText(text: string): string[] {
  const count = Math.ceil(text.length / CUE_CHARS)
  const targetLength = text.length / count
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    // A cue ends at a sentence end near the target length.
    const isFull =
      last !== undefined &&
      (last.length + word.length >= CUE_CHARS ||
        last.length >= targetLength ||
        (/[.!?…]$/.test(last) && last.length > LINE_CHARS))
    if (last === undefined || isFull) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function breakIntoTwoLines(text: string): string {
  if (text.length <= LINE_CHARS) return text
  const middle = text.length / 2
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index)
  const [nearest] = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  return nearest === undefined ? text : `${text.slice(0, nearest)}\n${text.slice(nearest + 1)}`
}
