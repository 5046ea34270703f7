import { and, eq, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { formatNumber } from '#lib/core/shared/locale.ts'
import { notify } from '#lib/notification/notify.ts'
import { membership, user } from '#lib/user/table.ts'
import { quizAttempt } from '../attempt/table.ts'
import { quiz } from '../table.ts'
import { quizReview } from './table.ts'

interface ResultEmailJob {
  tenantId: string
  attemptId: string
  /** ISO instant of the review that the email reports. */
  reviewedAt: string
}

/**
 * Emails the student, in their language, that an attempt was reviewed. When the review was finished again meanwhile,
 * only the email of the later one is sent. Idempotent.
 */
export function sendResultEmail({ tenantId, attemptId, reviewedAt }: ResultEmailJob): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const [current] = await tx
      .select({ attemptId: quizReview.attemptId })
      .from(quizReview)
      .where(
        and(
          eq(quizReview.attemptId, attemptId),
          sql`date_trunc('milliseconds', ${quizReview.reviewedAt}) = ${reviewedAt}::timestamptz`,
        ),
      )
    if (current) await emailResult(tx, { attemptId, about: 'reviewed', onceKey: reviewedAt })
  })
}

interface ResultEmail {
  attemptId: string
  /** Texts are `review:email.<about>`. */
  about: 'reviewed' | 'regraded'
  /** Distinguishes the emails about one attempt. */
  onceKey: string
}

/** Notifies of the result of an attempt, and emails it, with its score where the test shows scores right after the attempt. */
export async function emailResult(tx: Tx, { attemptId, about, onceKey }: ResultEmail): Promise<void> {
  const [row] = await tx
    .select({
      studentId: quizAttempt.studentId,
      state: quizAttempt.state,
      score: quizAttempt.score,
      maxScore: quizAttempt.maxScore,
      passed: quizAttempt.passed,
      quizId: quiz.id,
      title: quiz.title,
      feedback: quiz.feedback,
      show: quiz.show,
      locale: user.locale,
      name: user.firstName,
      courseId: quiz.courseId,
    })
    .from(quizAttempt)
    .innerJoin(quiz, and(eq(quiz.tenantId, quizAttempt.tenantId), eq(quiz.id, quizAttempt.quizId)))
    .innerJoin(membership, and(eq(membership.tenantId, quizAttempt.tenantId), eq(membership.id, quizAttempt.studentId)))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(quizAttempt.id, attemptId))
  if (row?.state !== 'graded' || row.score === null) return
  const { locale, score, maxScore, passed } = row
  const t = getTranslator(locale)
  const names = { test: row.title, name: row.name }
  const isShown = row.show.score && (row.feedback === 'afterEach' || row.feedback === 'afterAttempt')
  const result = isShown
    ? [
        t('review:email.score', { score: formatNumber(score, locale), max: formatNumber(maxScore, locale) }),
        t(passed ? 'review:email.passed' : 'review:email.failed'),
      ]
    : []
  const parts = {
    preheader: t(`review:email.${about}.text`, names),
    heading: t(`review:email.${about}.heading`, names),
    paragraphs: [t(`review:email.${about}.text`, names), ...result],
    button: { label: t('review:email.button'), href: addressOf('go', `/test/${row.quizId}/result`) },
  }
  const subject = t(`review:email.${about}.subject`, names)
  const key = `quiz-result/${attemptId}/${onceKey}`
  await notify(tx, {
    kind: `quiz_${about}`,
    memberIds: [row.studentId],
    key,
    data: { subject: row.title },
    link: `/test/${row.quizId}/result`,
    subjects: row.courseId ? [{ type: 'course', id: row.courseId }] : [],
    email: () => ({ subject, parts }),
  })
}
