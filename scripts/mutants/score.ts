import fs from 'node:fs'
import path from 'node:path'
import { EQUIVALENT_MUTANTS } from './equivalent.ts'

/** The fields of a mutant's result that are counted. */
export interface Mutant {
  fileName: string
  status: string
  mutatorName: string
  replacement: string
  location: { start: { line: number; column: number } }
}

export interface FileScore {
  file: string
  killed: number
  survived: number
  /** Not covered by any test. */
  uncovered: number
  /** Not detected, and listed as equivalent: they do not count. */
  equivalent: number
}

/**
 * The number of mutants of each file that tests have detected. Ignored ones and those that do not compile are not
 * counted.
 */
export function scores(mutants: readonly Mutant[]): FileScore[] {
  const files = Map.groupBy(mutants, ({ fileName }) => path.relative('.', fileName))
  return [...files]
    .map(([file, own]) => ({
      file,
      killed: count(own, 'Killed', 'Timeout'),
      survived: count(
        own.filter((mutant) => !isEquivalent(mutant)),
        'Survived',
      ),
      uncovered: count(
        own.filter((mutant) => !isEquivalent(mutant)),
        'NoCoverage',
      ),
      equivalent: own.filter((mutant) => isMissed(mutant) && isEquivalent(mutant)).length,
    }))
    .filter(({ killed, survived, uncovered }) => killed + survived + uncovered > 0)
    .sort((a, b) => a.file.localeCompare(b.file))
}

/** One line for each mutant that no test has detected. */
export function missed(mutants: readonly Mutant[]): string[] {
  return mutants
    .filter((mutant) => isMissed(mutant) && !isEquivalent(mutant))
    .map(({ fileName, location, mutatorName, replacement, status }) => {
      const place = `${path.relative('.', fileName)}:${location.start.line}:${location.start.column}`
      return `${place} ${status} ${mutatorName} → ${replacement.replace(/\s+/g, ' ').slice(0, 100)}`
    })
}

const isMissed = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage'

function isEquivalent({ fileName, location, replacement }: Mutant): boolean {
  const file = path.relative('.', fileName)
  const listed = EQUIVALENT_MUTANTS.filter((known) => known.file === file)
  if (listed.length === 0) return false
  const source = fs.readFileSync(file, 'utf8').split('\n')[location.start.line - 1] ?? ''
  return listed.some(({ line, replacements }) => source.includes(line) && (replacements?.includes(replacement) ?? true))
}

/** The scores as a Markdown table, with their total. */
export function table(files: readonly FileScore[]): string {
  const sum = (key: 'killed' | 'survived' | 'uncovered' | 'equivalent') =>
    files.reduce((total, file) => total + file[key], 0)
  const total = {
    file: 'All',
    killed: sum('killed'),
    survived: sum('survived'),
    uncovered: sum('uncovered'),
    equivalent: sum('equivalent'),
  }
  const rows = [...files, total].map(({ file, killed, survived, uncovered, equivalent }) => {
    const share = (100 * killed) / Math.max(1, killed + survived + uncovered)
    return `| ${file} | ${killed} | ${survived} | ${uncovered} | ${equivalent} | ${share.toFixed(1)} % |`
  })
  return [
    '| File | Detected | Survived | Not covered | Equivalent | Score |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

const count = (mutants: readonly Mutant[], ...statuses: string[]): number =>
  mutants.filter(({ status }) => statuses.includes(status)).length
