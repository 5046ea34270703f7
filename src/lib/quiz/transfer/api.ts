import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { ImportedQuestions, ImportQuestions, PreviewQuestions, ReadFile } from './schema.ts'
import { importQuestions, previewQuestions } from './transfer.ts'

const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures that import questions from files of the library. */
export const questionTransferCalls = {
  previewQuestions: authors
    .route({ summary: 'Returns what an import would do with each question of a stored file' })
    .input(PreviewQuestions)
    .output(ReadFile)
    .handler(({ input, context }) => previewQuestions(context.actor, input)),
  importQuestions: authors
    .route({ summary: 'Imports the questions of a stored file into a bank' })
    .input(ImportQuestions)
    .output(ImportedQuestions)
    .handler(({ input, context }) => importQuestions(context.actor, input)),
}
