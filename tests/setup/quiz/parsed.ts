import { startAttempt as domainStartAttempt } from '#lib/quiz/attempt/attempt.ts'
import { StartAttempt } from '#lib/quiz/attempt/schema.ts'
import { createQuestion as domainCreateQuestion, updateQuestion as domainUpdateQuestion } from '#lib/quiz/bank/bank.ts'
import { listBankQuestions as domainListBankQuestions } from '#lib/quiz/bank/list.ts'
import { CreateQuestion, ListBankQuestions, UpdateQuestion } from '#lib/quiz/bank/schema.ts'
import { setOverride as domainSetOverride } from '#lib/quiz/overrides.ts'
import { updateQuiz as domainUpdateQuiz } from '#lib/quiz/quiz.ts'
import { listQuizzes as domainListQuizzes } from '#lib/quiz/quizzes.ts'
import { ListQuizzes, SetOverride, SetSections, UpdateQuiz } from '#lib/quiz/schema.ts'
import { setSections as domainSetSections } from '#lib/quiz/sections.ts'
import { startQuestionImport as domainStartQuestionImport } from '#lib/quiz/transfer/import-job/question-import.ts'
import { ImportQuestions } from '#lib/quiz/transfer/schema.ts'
import { parsed } from '../parsed/parsed.ts'

export const startAttempt = parsed(StartAttempt, domainStartAttempt)
export const createQuestion = parsed(CreateQuestion, domainCreateQuestion)
export const updateQuestion = parsed(UpdateQuestion, domainUpdateQuestion)
export const listBankQuestions = parsed(ListBankQuestions, domainListBankQuestions)
export const setOverride = parsed(SetOverride, domainSetOverride)
export const updateQuiz = parsed(UpdateQuiz, domainUpdateQuiz)
export const listQuizzes = parsed(ListQuizzes, domainListQuizzes)
export const setSections = parsed(SetSections, domainSetSections)
export const startQuestionImport = parsed(ImportQuestions, domainStartQuestionImport)
