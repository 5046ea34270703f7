import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { FEEDBACK_TIMES, GRADE_OF, NAVIGATIONS, ON_EXPIRY, QUIZ_STATUS } from '#lib/core/shared/quiz.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { QuestionDoc } from './question/rich-text-schema.ts'
import { Points } from './question/schema.ts'

const id = z.uuid()
const revision = z.int().min(1).max(2_147_483_647)
const MAX_SECTIONS = 50
const MAX_QUIZ_QUESTIONS = 500

/** The parts of the results that a student sees when feedback is due. */
export const ShowSettings = z.object({
  score: z.boolean().default(true),
  /** Whether each answer is right. */
  correctness: z.boolean().default(true),
  correctAnswers: z.boolean().default(false),
  explanations: z.boolean().default(true),
})
export type ShowSettings = z.output<typeof ShowSettings>

/** A text shown with results above a percentage. */
export const GradeBand = z.object({
  fromPercent: z.int().min(0).max(100),
  text: multilineText(1000).min(1, 'required'),
})
export type GradeBand = z.output<typeof GradeBand>

const settingsShape = {
  title: textLine(160).min(1, 'required'),
  intro: QuestionDoc.nullable(),
  openAt: z.iso.datetime().nullable(),
  closeAt: z.iso.datetime().nullable(),
  timeLimitSec: z.int().min(30).max(604_800).nullable(),
  onExpiry: z.enum(ON_EXPIRY),
  graceSec: z.int().min(0).max(DAY_SECONDS),
  networkGraceSec: z.int().min(0).max(120),
  attempts: z.int().min(1).max(100).nullable(),
  delayMinutes: z.int().min(0).max(525_600),
  gradeOf: z.enum(GRADE_OF),
  passPercent: z.int().min(0).max(100),
  shuffleQuestions: z.boolean(),
  shuffleOptions: z.boolean(),
  perPage: z.int().min(1).max(100).nullable(),
  navigation: z.enum(NAVIGATIONS),
  feedback: z.enum(FEEDBACK_TIMES),
  show: ShowSettings,
  gradeBands: z.array(GradeBand).max(20),
  negativeMarking: z.boolean(),
  partialCredit: z.boolean(),
  password: textLine(60)
    .transform((text) => text || null)
    .nullable(),
  required: z.boolean(),
}

/** The changed settings of a test; omitted ones are not changed. */
export const QuizSettings = z.object(settingsShape).partial()
export type QuizSettings = z.output<typeof QuizSettings>

/** `quizId` is chosen by the form, so that posting it twice creates one test. */
export const CreateQuiz = z.object({ quizId: id, courseId: id.nullable(), title: textLine(160).min(1, 'required') })
export type CreateQuiz = z.infer<typeof CreateQuiz>

export const UpdateQuiz = z
  .object({
    quizId: id,
    /** The revision that the change is based on. */
    revision,
    settings: QuizSettings,
  })
  .refine(({ settings: { openAt, closeAt } }) => !openAt || !closeAt || openAt < closeAt, {
    path: ['settings', 'closeAt'],
    error: 'end_before_start',
  })
export type UpdateQuiz = z.output<typeof UpdateQuiz>

export const QuizId = z.object({ quizId: id })
export type QuizId = z.infer<typeof QuizId>

export const DuplicateQuiz = z.object({ quizId: id, newQuizId: id })
export type DuplicateQuiz = z.infer<typeof DuplicateQuiz>

export const HideQuiz = z.object({ quizId: id, hidden: z.boolean() })
export type HideQuiz = z.infer<typeof HideQuiz>

const FixedSection = z.object({
  id,
  pick: z.literal('fixed'),
  title: textLine(160).default(''),
  questions: z.array(z.object({ questionId: id, points: Points.nullable().default(null) })).max(MAX_QUIZ_QUESTIONS),
})
const RandomSection = z.object({
  id,
  pick: z.literal('random'),
  title: textLine(160).default(''),
  bankId: id.nullable().default(null),
  tags: z.array(textLine(40).min(1)).max(10).default([]),
  difficulty: z.int().min(1).max(3).nullable().default(null),
  count: z.int().min(1).max(200),
  points: Points.nullable().default(null),
})
/** A section of a test. Its id is chosen by the editor. */
export const Section = z.discriminatedUnion('pick', [FixedSection, RandomSection])
export type Section = z.output<typeof Section>

/** Replaces all sections of a test. */
export const SetSections = z.object({ quizId: id, revision, sections: z.array(Section).max(MAX_SECTIONS) })
export type SetSections = z.output<typeof SetSections>

/** An exception for one student or one study group; null keeps the setting of the test. */
export const SetOverride = z
  .object({
    quizId: id,
    studentId: id.nullable().default(null),
    groupId: id.nullable().default(null),
    openAt: z.iso.datetime().nullable().default(null),
    closeAt: z.iso.datetime().nullable().default(null),
    timeLimitSec: z.int().min(30).max(604_800).nullable().default(null),
    extraAttempts: z.int().min(0).max(100).default(0),
    extraTimeSec: z.int().min(0).max(604_800).default(0),
  })
  .refine(({ studentId, groupId }) => (studentId === null) !== (groupId === null), {
    path: ['studentId'],
    error: 'required',
  })
  .refine(({ openAt, closeAt }) => !openAt || !closeAt || openAt < closeAt, {
    path: ['closeAt'],
    error: 'end_before_start',
  })
export type SetOverride = z.output<typeof SetOverride>

/** The policy of a school for all its tests. */
export const QuizPolicy = z.object({
  /** Maximum time in minutes that can be given back to an attempt for an outage; 0: none. */
  outageCapMinutes: z
    .union([z.number(), textLine(10).min(1, 'required').transform(Number)])
    .pipe(z.number().int().min(0).max(1440)),
})
export type QuizPolicy = z.output<typeof QuizPolicy>

export const OverrideId = z.object({ quizId: id, overrideId: id })
export type OverrideId = z.infer<typeof OverrideId>

export const ListQuizzes = z.object({
  q: multilineText(100).default(''),
  courseId: id.optional(),
  status: z.enum(QUIZ_STATUS).optional(),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListQuizzes = z.output<typeof ListQuizzes>
