import type { Actor } from '#lib/core/shared/actor.ts'
import { getQuestionImport } from '#lib/quiz/transfer/import-job/question-import.ts'
import { runQuestionImport } from '#lib/quiz/transfer/import-job/run-import.ts'
import { startQuestionImport } from './parsed.ts'

const RUN = { isLastAttempt: true, signal: new AbortController().signal }

/** Starts an import of questions and does what the worker would do. Gives what the page would show. */
export async function importQuestions(actor: Actor, input: { fileId: string; bankId?: string }) {
  const { importId } = await startQuestionImport(actor, input)
  await runQuestionImport({ tenantId: actor.tenantId, importId }, RUN)
  return getQuestionImport(actor, { importId })
}
