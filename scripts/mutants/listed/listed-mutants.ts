import { LEARNING_MUTANTS } from './learning.ts'
import type { ListedMutant } from './listed-mutant.ts'
import { SALES_MUTANTS } from './sales.ts'

/** The environment variable with the number of the mutant in the list below. */
export const MUTANT_VARIABLE = 'LISTED_MUTANT'

export const LISTED_MUTANTS: readonly ListedMutant[] = [...SALES_MUTANTS, ...LEARNING_MUTANTS]

/** The source with the change of a mutant. Throws when the original text does not occur exactly once. */
export function mutateSource(source: string, { file, original, replacement }: ListedMutant): string {
  const parts = source.split(original)
  const [before, after] = parts
  if (before === undefined || after === undefined || parts.length > 2)
    throw new Error(`${file} contains ${parts.length - 1} times: ${original}`)
  return before + replacement + after
}
