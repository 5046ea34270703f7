import { z } from 'zod'
import {
  FEEDBACK_TIMES,
  GRADE_OF,
  NAVIGATIONS,
  ON_EXPIRY,
  QUESTION_TYPES,
  QUIZ_STATUS,
  SECTION_PICKS,
} from '#lib/core/shared/quiz.ts'
import { QuestionDoc } from './question/rich-text-schema.ts'
import { QUIZ_ISSUES } from './rules.ts'
import { GradeBand, ShowSettings } from './schema.ts'

const Issue = z.object({
  key: z.enum(QUIZ_ISSUES),
  sectionId: z.string().nullable(),
  questionId: z.string().nullable(),
  available: z.number().optional(),
  needed: z.number().optional(),
})

export const QuizOutput = z.object({ quizId: z.string() })

export const RevisionOutput = z.object({ revision: z.number() })

export const SectionsOutput = z.object({ revision: z.number(), issues: z.array(Issue) })

export const OverrideOutput = z.object({ overrideId: z.string() })

const SectionView = z.object({
  id: z.string(),
  title: z.string(),
  pick: z.enum(SECTION_PICKS),
  bankId: z.string().nullable(),
  tags: z.array(z.string()),
  difficulty: z.number().nullable(),
  count: z.number().nullable(),
  points: z.number().nullable(),
  questions: z.array(
    z.object({
      questionId: z.string(),
      title: z.string(),
      type: z.enum(QUESTION_TYPES),
      points: z.number(),
      ownPoints: z.number().nullable(),
      complete: z.boolean(),
      deleted: z.boolean(),
    }),
  ),
  available: z.number(),
})

const OverrideView = z.object({
  id: z.string(),
  studentId: z.string().nullable(),
  groupId: z.string().nullable(),
  name: z.string(),
  openAt: z.date().nullable(),
  closeAt: z.date().nullable(),
  timeLimitSec: z.number().nullable(),
  extraAttempts: z.number(),
  extraTimeSec: z.number(),
})

export const QuizDetailsOutput = z.object({
  id: z.string(),
  courseId: z.string().nullable(),
  courseTitle: z.string().nullable(),
  title: z.string(),
  intro: QuestionDoc.nullable(),
  status: z.enum(QUIZ_STATUS),
  openAt: z.date().nullable(),
  closeAt: z.date().nullable(),
  timeLimitSec: z.number().nullable(),
  onExpiry: z.enum(ON_EXPIRY),
  graceSec: z.number(),
  networkGraceSec: z.number(),
  attempts: z.number().nullable(),
  delayMinutes: z.number(),
  gradeOf: z.enum(GRADE_OF),
  passPercent: z.number(),
  shuffleQuestions: z.boolean(),
  shuffleOptions: z.boolean(),
  perPage: z.number().nullable(),
  navigation: z.enum(NAVIGATIONS),
  feedback: z.enum(FEEDBACK_TIMES),
  show: ShowSettings,
  gradeBands: z.array(GradeBand),
  negativeMarking: z.boolean(),
  partialCredit: z.boolean(),
  password: z.string().nullable(),
  required: z.boolean(),
  hidden: z.boolean(),
  revision: z.number(),
  createdAt: z.date(),
  updatedAt: z.date(),
  sections: z.array(SectionView),
  overrides: z.array(OverrideView),
  issues: z.array(Issue),
})

export const QuizPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      courseId: z.string().nullable(),
      courseTitle: z.string().nullable(),
      status: z.enum(QUIZ_STATUS),
      hidden: z.boolean(),
      questions: z.number(),
      attempts: z.number(),
      revision: z.number(),
      updatedAt: z.date(),
    }),
  ),
  next: z.string().nullable(),
})
