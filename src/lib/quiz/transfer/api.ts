import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { cancelQuestionImport, getQuestionImport, startQuestionImport } from './import-job/question-import.ts'
import { ImportQuestions, PreviewQuestions, QuestionImportId, QuestionImportView, ReadFile } from './schema.ts'
import { previewQuestions } from './transfer.ts'

const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures that import questions from files of the library. */
export const questionTransferCalls = {
  previewQuestions: authors
    .route({ summary: 'Returns what an import would do with each question of a stored file' })
    .input(PreviewQuestions)
    .output(ReadFile)
    .handler(({ input, context }) => previewQuestions(context.actor, input)),
  startQuestionImport: authors
    .route({ summary: 'Starts the import of the questions of a stored file into a bank, as a job' })
    .input(ImportQuestions)
    .output(QuestionImportId)
    .handler(({ input, context }) => startQuestionImport(context.actor, input)),
  getQuestionImport: authors
    .route({ summary: 'Returns progress and result of an import of questions' })
    .input(QuestionImportId)
    .output(QuestionImportView)
    .handler(({ input, context }) => getQuestionImport(context.actor, input)),
  cancelQuestionImport: authors
    .route({ summary: 'Cancels an import of questions, of which nothing is added then' })
    .input(QuestionImportId)
    .output(QuestionImportId)
    .handler(({ input, context }) => cancelQuestionImport(context.actor, input)),
}
