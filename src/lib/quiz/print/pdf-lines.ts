import type { Run } from './printed.ts'

/** A part of a line with its place from the left. */
export interface Segment extends Run {
  x: number
}

export type Measure = (run: Run) => number

/** Breaks runs into lines of a width; a word that is wider than a line is divided. */
export function breakLines(runs: readonly Run[], width: number, measure: Measure): Segment[][] {
  const lines: Segment[][] = [[]]
  let x = 0
  const startLine = () => {
    lines.push([])
    x = 0
  }
  const add = (piece: Run) => {
    const last = lines.at(-1)?.at(-1)
    if (last && last.bold === piece.bold && last.italic === piece.italic) last.text += piece.text
    else lines.at(-1)?.push({ ...piece, x })
    x += measure(piece)
  }
  for (const run of runs) {
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

function divided(word: Run, width: number, measure: Measure): Run[] {
  if (measure(word) <= width) return [word]
  const parts: Run[] = []
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
