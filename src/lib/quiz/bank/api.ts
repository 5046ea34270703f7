import { NoInput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { changeQuestions, createQuestion, duplicateQuestion, getQuestion, updateQuestion } from './bank.ts'
import { createBank, deleteBank, listBanks, renameBank } from './banks.ts'
import { listBankQuestions, listQuestionTags } from './list.ts'
import {
  BankOutput,
  BanksOutput,
  ChangedOutput,
  HtmlOutput,
  QuestionOutput,
  QuestionPage,
  SavedQuestionOutput,
  TagsOutput,
} from './output-schema.ts'
import { renderTexts } from './render-texts.ts'
import {
  BankId,
  ChangeQuestions,
  CreateQuestion,
  DuplicateQuestion,
  ListBankQuestions,
  QuestionId,
  RenderTexts,
  SaveBank,
  UpdateQuestion,
} from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of the question bank. */
export const bankCalls = {
  createQuestion: authors
    .route({ summary: 'Creates a question' })
    .input(CreateQuestion)
    .output(SavedQuestionOutput)
    .handler(({ input, context }) => createQuestion(context.actor, input)),
  updateQuestion: authors
    .route({ summary: 'Changes a question; other content makes a version' })
    .input(UpdateQuestion)
    .output(SavedQuestionOutput)
    .handler(({ input, context }) => updateQuestion(context.actor, input)),
  getQuestion: staff
    .route({ summary: 'Returns a question with its current content' })
    .input(QuestionId)
    .output(QuestionOutput)
    .handler(({ input, context }) => getQuestion(context.actor, input)),
  duplicateQuestion: authors
    .route({ summary: 'Copies the current version of a question' })
    .input(DuplicateQuestion)
    .output(SavedQuestionOutput)
    .handler(({ input, context }) => duplicateQuestion(context.actor, input)),
  changeQuestions: authors
    .route({ summary: 'Tags, moves, deletes or restores questions' })
    .input(ChangeQuestions)
    .output(ChangedOutput)
    .handler(({ input, context }) => changeQuestions(context.actor, input)),
  listQuestions: staff
    .route({ summary: 'Returns questions, latest change first' })
    .input(ListBankQuestions)
    .output(QuestionPage)
    .handler(({ input, context }) => listBankQuestions(context.actor, input)),
  listQuestionTags: staff
    .route({ summary: 'Returns the tags of questions with their numbers' })
    .input(NoInput)
    .output(TagsOutput)
    .handler(({ context }) => listQuestionTags(context.actor)),
  renderTexts: staff
    .route({ summary: 'Renders texts of a question as HTML' })
    .input(RenderTexts)
    .output(HtmlOutput)
    .handler(({ input, context }) => renderTexts(context.actor, input)),
  createBank: authors
    .route({ summary: 'Creates a bank of questions' })
    .input(SaveBank)
    .output(BankOutput)
    .handler(({ input, context }) => createBank(context.actor, input)),
  renameBank: authors
    .route({ summary: 'Renames a bank of questions' })
    .input(SaveBank)
    .output(BankOutput)
    .handler(({ input, context }) => renameBank(context.actor, input)),
  deleteBank: authors
    .route({ summary: 'Deletes a bank; its questions go to the general bank' })
    .input(BankId)
    .output(BankOutput)
    .handler(({ input, context }) => deleteBank(context.actor, input)),
  listBanks: staff
    .route({ summary: 'Returns the banks of questions with the number of their questions' })
    .input(NoInput)
    .output(BanksOutput)
    .handler(({ context }) => listBanks(context.actor)),
}
