import { workerTask } from '#lib/core/worker/pool.ts'
import type { parseQuestions } from './worker.ts'

const TASK = { file: 'src/lib/quiz/transfer/worker.ts', name: 'parseQuestions' } as const

/**
 * Parses a file of questions in a worker process; the format is detected. Refuses as readQuestionFile, and with
 * unprocessable (parse_too_complex) for a file that needs too much time or memory.
 */
export const parseUploadedQuestions = workerTask<typeof parseQuestions>({ ...TASK, lane: 'request', limitMs: 30_000 })

/** The same for a job, with more time. */
export const parseQuestionsInJob = workerTask<typeof parseQuestions>({ ...TASK, lane: 'job', limitMs: 120_000 })
