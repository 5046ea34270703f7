import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** The stages of `npm test -- <module>` and `npm test -- --changed`: fast, without a browser. */
const QUICK_STAGES = ['lint', 'unit']

/**
 * Which stages `npm test` runs, and what it passes to their runners. Without arguments: all stages. `unit e2e`: these
 * stages. `meeting`, a folder of `src/lib` or `src/islands`: lint and the tests of that module. `--changed`: lint and
 * the tests that depend on files that are not committed. Anything else is a filter of file names for the runners.
 * `lintedPaths` are the files and folders that lint checks; null for the whole project, with unused code.
 */
export function chooseTests<Stage extends { name: string }>(
  words: readonly string[],
  all: readonly Stage[],
  root: string,
): { stages: Stage[]; filters: string[]; lintedPaths: string[] | null } {
  const isStage = (word: string) => all.some(({ name }) => name === word)
  const filters = words
    .filter((word) => !isStage(word))
    .flatMap((word) => (isModule(root, word) ? moduleFilters(word) : [word]))
  if (words.some(isStage)) {
    return { stages: all.filter(({ name }) => words.includes(name)), filters, lintedPaths: null }
  }
  const modules = words.filter((word) => isModule(root, word))
  const hasChanged = words.includes('--changed')
  if (modules.length === 0 && !hasChanged) return { stages: [...all], filters, lintedPaths: null }
  const lintedPaths = [
    ...modules.flatMap((name) => modulePaths(root, name)),
    ...(hasChanged ? uncommittedFiles(root) : []),
  ]
  return { stages: all.filter(({ name }) => QUICK_STAGES.includes(name)), filters, lintedPaths }
}

function isModule(root: string, word: string): boolean {
  return /^[a-z]+$/.test(word) && ['lib', 'islands'].some((layer) => existsSync(path.join(root, 'src', layer, word)))
}

/** Existing folders and translations of a module. */
function modulePaths(root: string, name: string): string[] {
  const folders = ['src/lib', 'src/islands', 'src/pages', 'tests/lib', 'tests/islands', 'tests/pages']
  const translations = ['uk', 'en'].map((locale) => `public/locales/${locale}/${name}.json`)
  return [...folders.map((folder) => `${folder}/${name}`), ...translations].filter((each) =>
    existsSync(path.join(root, each)),
  )
}

/** Changed and new files that git does not ignore, by their paths from the root. */
function uncommittedFiles(root: string): string[] {
  const options = { cwd: root, encoding: 'utf8' } as const
  const changed = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', '-z', 'HEAD'], options)
  const added = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z'], options)
  return `${changed}${added}`.split('\0').filter((file) => file !== '')
}

// Vitest's filters match any part of a file's path.
function moduleFilters(name: string): string[] {
  return [`lib/${name}/`, `islands/${name}/`, `pages/${name}`, `api/${name}`]
}
