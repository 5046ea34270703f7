import type { TextRun } from './printed.ts'

/** A part of a line with its place from the left. */
export interface LineSegment extends TextRun {
  x: number
}

export type Measure = (run: TextRun) => number

/** Breaks runs into lines of a width; formulas are not divided, a word that is wider than a line is. */
export function breakLines(runs: readonly TextRun[], width: number, measure: Measure): LineSegment[][] {
  const lines: LineSegment[][] = [[]]
  let x = 0
  const startLine = () => {
    lines.push([])
    x = 0
  }
  const add = (piece: TextRun) => {
    const last = lines.at(-1)?.at(-1)
    if (last && !last.formula && !piece.formula && last.bold === piece.bold && last.italic === piece.italic)
      last.text += piece.text
    else lines.at(-1)?.push({ ...piece, x })
    x += measure(piece)
  }
  for (const run of runs) {
    if (run.formula) {
      if (x > 0 && x + measure(run) > width) startLine()
      add(run)
      continue
    }
    for (const word of run.text.split(/(\n| +)/)) {
      if (word === '') continue
      if (word === '\n') {
        startLine()
        continue
      }
      const piece = { ...run, text: word }
      if (x + measure(piece) <= width) add(piece)
      else if (word.trim() === '') startLine()
      else {
        if (x > 0) startLine()
        for (const part of divided(piece, width, measure)) {
          if (x > 0) startLine()
          add(part)
        }
      }
    }
  }
  return lines
}

function divided(word: TextRun, width: number, measure: Measure): TextRun[] {
  if (measure(word) <= width) return [word]
  const parts: TextRun[] = []
  let text = ''
  for (const character of word.text) {
    if (text !== '' && measure({ ...word, text: text + character }) > width) {
      parts.push({ ...word, text })
      text = ''
    }
    text += character
  }
  return [...parts, { ...word, text }]
}
