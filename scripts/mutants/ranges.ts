import fs from 'node:fs'

/** Lines of a file, counted from one. */
interface Range {
  file: string
  from: number
  to: number
}

/** Maximum number of lines between a condition and its refusal. */
const ABOVE = 3

/** A call that may refuse: `mustEdit(actor)`, `requirePlan(actor, 'lms')`. */
const GUARD = /^\s*(?:await )?(?:must|require)[A-Z]?\w*\(/

/**
 * The lines of a module's domain functions that refuse, with their conditions, and those that call a refusing function,
 * in the format of Stryker (`file:from-to`). At most `most` of them, distributed evenly.
 */
export function refusalRanges(module: string, most: number): string[] {
  const files = fs
    .globSync(`src/lib/${module}/**/*.ts`)
    .filter((file) => !/(rules|schema|table|api|jobs|live)\.ts$/.test(file))
    .sort()
  const ranges = files.flatMap(refusalsOf)
  const step = Math.max(1, ranges.length / most)
  const chosen = ranges.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
  return chosen.map(({ file, from, to }) => `${file}:${from}-${to}`)
}

function refusalsOf(file: string): Range[] {
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    if (GUARD.test(line)) return [{ file, from: at + 1, to: at + 1 }]
    if (!line.includes('new Refusal(')) return []
    const above = lines.slice(Math.max(0, at - ABOVE), at + 1).findLastIndex((text) => /\bif \(|\?/.test(text))
    const from = above < 0 ? at : Math.max(0, at - ABOVE) + above
    return [{ file, from: from + 1, to: at + 1 }]
  })
}
