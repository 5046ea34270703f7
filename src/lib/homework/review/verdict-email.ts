import { and, eq, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { lesson } from '#lib/course/table.ts'
import { notify } from '#lib/notification/notify.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, task } from '../table.ts'

interface VerdictEmailJob {
  tenantId: string
  submissionId: string
  /** ISO instant of the verdict that the email is about. */
  reviewedAt: string
}

/**
 * Notifies the student of the verdict of a submission, also by email in their language. A verdict that was recalled or replaced
 * meanwhile is not sent. Idempotent.
 */
export function sendVerdictEmail({ tenantId, submissionId, reviewedAt }: VerdictEmailJob): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const [row] = await tx
      .select({
        studentId: submission.studentId,
        state: submission.state,
        score: submission.score,
        maxPoints: task.maxPoints,
        task: task.title,
        lessonId: submission.lessonId,
        lesson: lesson.title,
        locale: user.locale,
        name: user.firstName,
        courseId: submission.courseId,
      })
      .from(submission)
      .innerJoin(task, eq(task.id, submission.taskId))
      .innerJoin(lesson, eq(lesson.id, submission.lessonId))
      .innerJoin(membership, eq(membership.id, submission.studentId))
      .innerJoin(user, eq(user.id, membership.userId))
      .where(
        and(
          eq(submission.id, submissionId),
          sql`date_trunc('milliseconds', ${submission.reviewedAt}) = ${reviewedAt}::timestamptz`,
        ),
      )
    if (!row) return
    const { state, locale, score, maxPoints } = row
    if (state !== 'accepted' && state !== 'returned' && state !== 'rejected') return
    const t = getTranslator(locale)
    const names = { lesson: row.lesson, task: row.task, name: row.name }
    const points = score === null ? [] : [t('homework:email.points', { score, max: maxPoints ?? score })]
    const parts = {
      preheader: t(`homework:email.${state}.text`, names),
      heading: t(`homework:email.${state}.heading`, names),
      paragraphs: [t(`homework:email.${state}.text`, names), ...points],
      button: { label: t('homework:email.button'), href: addressOf('go', `/course/lesson/${row.lessonId}`) },
    }
    const subject = t(`homework:email.${state}.subject`, names)
    const onceKey = `homework/${submissionId}/${reviewedAt}`
    await notify(tx, {
      kind: `homework_${state}`,
      memberIds: [row.studentId],
      key: onceKey,
      data: { subject: row.task, context: row.lesson },
      link: `/course/lesson/${row.lessonId}`,
      subjects: [{ type: 'course', id: row.courseId }],
      email: () => ({ subject, parts }),
    })
  })
}
