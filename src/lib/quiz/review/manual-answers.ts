import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { course } from '#lib/course/table.ts'
import { file } from '#lib/storage/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { quizAnswer, quizAttempt } from '../attempt/table.ts'
import { titleTextOf } from '../question/rules.ts'
import { questionVersion } from '../question/table.ts'
import { quiz } from '../table.ts'
import { quizReview } from './table.ts'

/** An essay or the files of an answer. */
export interface ManualAnswer {
  /** Number of the question in the attempt. */
  number: number
  /** The question as plain text. */
  question: string
  /** Null for files. */
  text: string | null
  fileIds: string[]
}

export interface ManualAnswers {
  course: string
  quiz: string
  student: string
  /** Number of the attempt. */
  number: number
  submittedAt: Date
  answers: ManualAnswer[]
}

/**
 * The essays and files of attempts in the review queue, by course, test and student; of these courses only, null for all.
 */
export async function loadManualAnswers(
  tx: Tx,
  { attemptIds, courseIds }: { attemptIds: readonly string[]; courseIds: readonly string[] | null },
): Promise<ManualAnswers[]> {
  if (attemptIds.length === 0 || courseIds?.length === 0) return []
  const [attempts, values] = await Promise.all([
    loadAttempts(tx, attemptIds, courseIds),
    tx
      .select({ attemptId: quizAnswer.attemptId, questionId: quizAnswer.questionId, value: quizAnswer.value })
      .from(quizAnswer)
      .where(
        and(
          inArray(quizAnswer.attemptId, [...attemptIds]),
          sql`${quizAnswer.value} ->> 'type' in ('essay', 'fileUpload')`,
        ),
      ),
  ])
  const [stems, owners] = await Promise.all([
    loadStems(
      tx,
      values.map(({ questionId }) => questionId),
    ),
    loadOwners(
      tx,
      values.flatMap(({ value }) => (value?.type === 'fileUpload' ? value.fileIds : [])),
    ),
  ])
  return attempts.map(({ id, studentId, questions, ...attempt }) => ({
    ...attempt,
    answers: questions.flatMap(({ questionId, version }, index): ManualAnswer[] => {
      const value = values.find((row) => row.attemptId === id && row.questionId === questionId)?.value
      const common = { number: index + 1, question: stems.get(`${questionId} ${version}`) ?? '' }
      if (value?.type === 'essay') return [{ ...common, text: value.text, fileIds: [] }]
      if (value?.type !== 'fileUpload') return []
      return [{ ...common, text: null, fileIds: value.fileIds.filter((fileId) => owners.get(fileId) === studentId) }]
    }),
  }))
}

function loadAttempts(tx: Tx, attemptIds: readonly string[], courseIds: readonly string[] | null) {
  return tx
    .select({
      id: quizAttempt.id,
      studentId: quizAttempt.studentId,
      questions: quizAttempt.questions,
      number: quizAttempt.number,
      submittedAt: quizReview.submittedAt,
      course: course.title,
      quiz: quiz.title,
      student: sql<string>`coalesce(nullif(trim(${user.lastName} || ' ' || ${user.firstName}), ''), ${user.email})`,
    })
    .from(quizReview)
    .innerJoin(
      quizAttempt,
      and(eq(quizAttempt.tenantId, quizReview.tenantId), eq(quizAttempt.id, quizReview.attemptId)),
    )
    .innerJoin(quiz, and(eq(quiz.tenantId, quizReview.tenantId), eq(quiz.id, quizReview.quizId)))
    .innerJoin(course, and(eq(course.tenantId, quizReview.tenantId), eq(course.id, quizReview.courseId)))
    .innerJoin(membership, and(eq(membership.tenantId, quizReview.tenantId), eq(membership.id, quizReview.studentId)))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(
      and(
        inArray(quizReview.attemptId, [...attemptIds]),
        courseIds ? inArray(quizReview.courseId, [...courseIds]) : undefined,
      ),
    )
    .orderBy(asc(course.title), asc(quiz.title), asc(user.lastName), asc(quizAttempt.id))
}

/** The questions as plain text by id and version: attempts keep the version that they were made with. */
async function loadStems(tx: Tx, questionIds: readonly string[]): Promise<Map<string, string>> {
  if (questionIds.length === 0) return new Map()
  const rows = await tx
    .select({
      questionId: questionVersion.questionId,
      version: questionVersion.version,
      content: questionVersion.content,
    })
    .from(questionVersion)
    .where(inArray(questionVersion.questionId, [...questionIds]))
  return new Map(rows.map(({ questionId, version, content }) => [`${questionId} ${version}`, titleTextOf(content)]))
}

/** Files that belong to the student: an answer cannot show those of another user. */
async function loadOwners(tx: Tx, fileIds: readonly string[]): Promise<Map<string, string | null>> {
  if (fileIds.length === 0) return new Map()
  const rows = await tx
    .select({ id: file.id, ownerId: file.ownerId })
    .from(file)
    .where(and(inArray(file.id, [...fileIds]), isNull(file.deletedAt)))
  return new Map(rows.map(({ id, ownerId }) => [id, ownerId]))
}
