import { existsSync } from 'node:fs'
import path from 'node:path'

/** The stages of `npm test -- <module>` and `npm test -- --changed`: fast, without a browser. */
const QUICK_STAGES = ['lint', 'unit']

/**
 * Which stages `npm test` runs, and what it passes to their runners. Without arguments: all stages. `unit e2e`: these
 * stages. `meeting`, a folder of `src/lib` or `src/islands`: lint and the tests of that module. `--changed`: lint and
 * the tests that depend on files that are not committed. Anything else is a filter of file names for the runners.
 */
export function chooseTests<Stage extends { name: string }>(
  words: readonly string[],
  all: readonly Stage[],
  root: string,
): { stages: Stage[]; filters: string[] } {
  const isStage = (word: string) => all.some(({ name }) => name === word)
  const filters = words
    .filter((word) => !isStage(word))
    .flatMap((word) => (isModule(root, word) ? moduleFilters(word) : [word]))
  if (words.some(isStage)) return { stages: all.filter(({ name }) => words.includes(name)), filters }
  const quick = words.includes('--changed') || words.some((word) => isModule(root, word))
  return { stages: all.filter(({ name }) => !quick || QUICK_STAGES.includes(name)), filters }
}

function isModule(root: string, word: string): boolean {
  return /^[a-z]+$/.test(word) && ['lib', 'islands'].some((layer) => existsSync(path.join(root, 'src', layer, word)))
}

// Vitest's filters match any part of a file's path.
function moduleFilters(name: string): string[] {
  return [`lib/${name}/`, `islands/${name}/`, `pages/${name}`, `api/${name}`]
}
