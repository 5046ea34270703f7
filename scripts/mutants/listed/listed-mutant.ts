/** A change of the code that breaks a rule, and that tests have to detect. */
export interface ListedMutant {
  /** What the changed product does. */
  breaks: string
  /** Path from the root. */
  file: string
  /** Occurs in the file exactly once. */
  original: string
  replacement: string
  /** The test files in each of which at least one test fails. */
  tests: readonly string[]
}
