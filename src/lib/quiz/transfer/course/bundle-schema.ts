import { z } from 'zod'
import { QUIZ_STATUS } from '#lib/core/shared/quiz.ts'
import { textLine } from '#lib/core/shared/text/text.ts'
import { Points, QuestionDraft } from '../../question/schema.ts'
import { QuizSettings } from '../../schema.ts'

const id = z.uuid()

/** A section of a test; its id is generated again. */
export const BundleSection = z.discriminatedUnion('pick', [
  z.object({
    pick: z.literal('fixed'),
    title: textLine(160),
    questions: z.array(z.object({ questionId: id, points: Points.nullable() })).max(500),
  }),
  z.object({
    pick: z.literal('random'),
    title: textLine(160),
    bankId: id.nullable(),
    tags: z.array(textLine(40).min(1)).max(10),
    difficulty: z.int().min(1).max(3).nullable(),
    count: z.int().min(1).max(200),
    points: Points.nullable(),
  }),
])
export type BundleSection = z.output<typeof BundleSection>

/** A test of an exported course: its settings and sections, without exceptions for students and without attempts. */
export const BundleQuiz = QuizSettings.required().extend({
  id,
  status: z.enum(QUIZ_STATUS),
  hidden: z.boolean(),
  sections: z.array(BundleSection).max(50),
})
export type BundleQuiz = z.output<typeof BundleQuiz>

/** A question that the tests of the course need; ids are those of the exporting tenant. */
export const BundleQuestion = QuestionDraft.extend({ id, bankId: id.nullable() })
export type BundleQuestion = z.output<typeof BundleQuestion>

/** The tests of an exported course, their questions and the banks of these; an export without them has no tests. */
export const BundleTests = z.object({
  quizzes: z.array(BundleQuiz).max(2000).default([]),
  questions: z.array(BundleQuestion).max(20_000).default([]),
  questionBanks: z
    .array(z.object({ id, title: textLine(120).min(1) }))
    .max(2000)
    .default([]),
})
export type BundleTests = z.output<typeof BundleTests>
