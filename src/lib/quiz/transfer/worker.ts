import type { ReadQuestions } from './question-reader.ts'
import { readQuestionFile } from './read-file.ts'

/** Task of a worker process: parses a file on the disk. Refuses as readQuestionFile. */
export function parseQuestions(file: { path: string; scratch: string }): Promise<ReadQuestions> {
  return readQuestionFile(file)
}
