import { workerTask } from '#lib/core/worker/pool.ts'
import type { parseQuestions } from './worker.ts'

/**
 * Reads a file of questions in a worker process, in whatever format it is. Refuses as readQuestionFile, and with
 * unprocessable (parse_too_complex) for a file that takes too much time or memory.
 */
export const parseUploadedQuestions = workerTask<typeof parseQuestions>({
  file: 'src/lib/quiz/transfer/worker.ts',
  name: 'parseQuestions',
  lane: 'request',
  limitMs: 30_000,
})
