import { z } from 'zod'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { QUESTION_ISSUES } from '../question/rules.ts'
import { QuestionContent } from '../question/schema.ts'

const Issue = z.object({
  key: z.enum(QUESTION_ISSUES),
  path: z.array(z.union([z.string(), z.number()])),
})

export const SavedQuestionOutput = z.object({
  questionId: z.string(),
  version: z.number(),
  revision: z.number(),
  issues: z.array(Issue),
})

export const QuestionOutput = z.object({
  id: z.string(),
  bankId: z.string().nullable(),
  version: z.number(),
  revision: z.number(),
  content: QuestionContent,
  tags: z.array(z.string()),
  difficulty: z.number(),
  locale: z.enum(LOCALES),
  updatedAt: z.date(),
  issues: z.array(Issue),
  usedIn: z.array(z.object({ quizId: z.string(), title: z.string() })),
})

export const ChangedOutput = z.object({ changed: z.number() })

export const QuestionPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      type: z.enum(QUESTION_TYPES),
      points: z.number(),
      tags: z.array(z.string()),
      difficulty: z.number(),
      locale: z.enum(LOCALES),
      complete: z.boolean(),
      bankId: z.string().nullable(),
      bankTitle: z.string().nullable(),
      version: z.number(),
      revision: z.number(),
      updatedAt: z.date(),
    }),
  ),
  next: z.string().nullable(),
})

export const TagsOutput = z.array(z.object({ tag: z.string(), count: z.number() }))

export const HtmlOutput = z.object({ html: z.array(z.string()) })

export const BankOutput = z.object({ bankId: z.string() })

export const BanksOutput = z.array(z.object({ id: z.string(), title: z.string(), questions: z.number() }))
