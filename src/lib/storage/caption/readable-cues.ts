import { escapeText } from '#lib/core/shared/text/cue-text.ts'
import type { Cue } from '#lib/core/shared/text/webvtt.ts'

/** Letters of a line and of a caption of two lines, as broadcasters count them. */
const LINE = 42
const TWO_LINES = 2 * LINE
/** A recogniser sometimes lets words stand through a long silence. Seconds. */
const LONGEST = 7

/** What was said, in captions that can be read: two lines at most, long ones divided by the share of their letters. */
export function readableCues(spoken: readonly { start: number; end: number; text: string }[]): Cue[] {
  return spoken.flatMap(({ start, end, text }) => {
    const pieces = piecesOf(text)
    const letters = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const spell = Math.min(end - start, pieces.length * LONGEST)
    let before = 0
    return pieces.map((piece) => {
      const from = start + (spell * before) / letters
      before += piece.length
      return { start: from, end: start + (spell * before) / letters, text: escapeText(inTwoLines(piece)) }
    })
  })
}

function piecesOf(text: string): string[] {
  const count = Math.ceil(text.length / TWO_LINES)
  const goal = text.length / count
  const pieces: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = pieces.at(-1)
    // A sentence that ends near the goal ends the caption too.
    const full =
      last !== undefined &&
      (last.length + word.length >= TWO_LINES || last.length >= goal || (/[.!?…]$/.test(last) && last.length > LINE))
    if (last === undefined || full) pieces.push(word)
    else pieces[pieces.length - 1] = `${last} ${word}`
  }
  return pieces
}

function inTwoLines(text: string): string {
  if (text.length <= LINE) return text
  const middle = text.length / 2
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index)
  const [nearest] = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  return nearest === undefined ? text : `${text.slice(0, nearest)}\n${text.slice(nearest + 1)}`
}
