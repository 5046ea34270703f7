/** Mutants that change nothing which a test could see, or nothing of a rule. */
export interface EquivalentMutants {
  file: string
  /** Part of the source line of the mutants; it occurs in the file. */
  line: string
  /** What Stryker puts there; absent: any change of the line. */
  replacements?: readonly string[]
  reason: string
}

export const EQUIVALENT_MUTANTS: readonly EquivalentMutants[] = []
