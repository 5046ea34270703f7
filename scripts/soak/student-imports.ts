import { runTests } from './run-tests.ts'

/** The import of 10,000 students, of whom 3 % are invalid; `npm test` imports 1,000. Returns whether the tests pass. */
export function soakStudentImports(): Promise<boolean> {
  return runTests(['unit', 'student/import'], { IMPORT_ROWS: process.env.IMPORT_ROWS ?? '10000' })
}
