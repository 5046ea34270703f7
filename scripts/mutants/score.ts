import path from 'node:path'

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
      survived: count(own, 'Survived'),
      uncovered: count(own, 'NoCoverage'),
    }))
    .filter(({ killed, survived, uncovered }) => killed + survived + uncovered > 0)
    .sort((a, b) => a.file.localeCompare(b.file))
}

/** One line for each mutant that no test has detected. */
export function missed(mutants: readonly Mutant[]): string[] {
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ fileName, location, mutatorName, replacement, status }) => {
      const place = `${path.relative('.', fileName)}:${location.start.line}:${location.start.column}`
      return `${place} ${status} ${mutatorName} → ${replacement.replace(/\s+/g, ' ').slice(0, 100)}`
    })
}

/** The scores as a Markdown table, with their total. */
export function table(files: readonly FileScore[]): string {
  const sum = (key: 'killed' | 'survived' | 'uncovered') => files.reduce((total, file) => total + file[key], 0)
  const total = { file: 'All', killed: sum('killed'), survived: sum('survived'), uncovered: sum('uncovered') }
  const rows = [...files, total].map(({ file, killed, survived, uncovered }) => {
    const share = (100 * killed) / Math.max(1, killed + survived + uncovered)
    return `| ${file} | ${killed} | ${survived} | ${uncovered} | ${share.toFixed(1)} % |`
  })
  return ['| File | Detected | Survived | Not covered | Score |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

const count = (mutants: readonly Mutant[], ...statuses: string[]): number =>
  mutants.filter(({ status }) => statuses.includes(status)).length
