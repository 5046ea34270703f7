import { workerTask } from '#lib/core/worker/pool.ts'
import type { parseQuestions } from './worker.ts'

/**
 * Parses a file of questions in a worker process; the format is detected. Refuses as readQuestionFile, and with
 * unprocessable (parse_too_complex) for a file that needs too much time or memory.
 */
export const parseUploadedQuestions = workerTask<typeof parseQuestions>({
  file: 'src/lib/quiz/transfer/worker.ts',
  name: 'parseQuestions',
  lane: 'request',
  limitMs: 30_000,
})
