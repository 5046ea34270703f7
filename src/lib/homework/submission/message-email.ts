import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { lesson } from '#lib/course/table.ts'
import { notify } from '#lib/notification/notify.ts'
import { tenant } from '#lib/tenant/table.ts'
import { homeworkMessage, submission, task } from '../table.ts'

interface MessageEmailJob {
  tenantId: string
  taskId: string
  studentId: string
  /** True: to the student; false: to the reviewers. */
  toStudent: boolean
}

/** Notifies of all unread messages of a thread, with one email. Sends nothing when all were read meanwhile. */
export function sendMessageEmail({ tenantId, taskId, studentId, toStudent }: MessageEmailJob): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const fromOtherSide = toStudent ? ne(homeworkMessage.authorId, studentId) : eq(homeworkMessage.authorId, studentId)
    const unread = await tx
      .select({ id: homeworkMessage.id, body: homeworkMessage.body })
      .from(homeworkMessage)
      .where(
        and(
          eq(homeworkMessage.taskId, taskId),
          eq(homeworkMessage.studentId, studentId),
          isNull(homeworkMessage.readAt),
          fromOtherSide,
        ),
      )
      .orderBy(homeworkMessage.at, homeworkMessage.id)
    const last = unread.at(-1)
    const [taskRow] = await tx
      .select({
        title: task.title,
        courseId: task.courseId,
        lessonId: task.lessonId,
        lesson: lesson.title,
        subdomain: tenant.subdomain,
      })
      .from(task)
      .innerJoin(lesson, eq(lesson.id, task.lessonId))
      .innerJoin(tenant, eq(tenant.id, task.tenantId))
      .where(eq(task.id, taskId))
    if (!last || !taskRow) return
    const submissionId = await findSubmission(tx, taskId, studentId)
    const link = toStudent
      ? `/course/lesson/${taskRow.lessonId}#conversation-${taskId}`
      : `/homework/${submissionId ?? ''}`
    const ids = toStudent ? [studentId] : await findReviewers(tx, { taskId, studentId })
    await notify(tx, {
      kind: 'homework_message',
      memberIds: ids,
      key: `homework/message/${last.id}`,
      data: { subject: taskRow.title, context: taskRow.lesson },
      link,
      groupKey: `homework/message/${taskId}/${studentId}`,
      total: unread.length,
      subjects: [{ type: 'course', id: taskRow.courseId }],
      email: ({ locale }) => {
        const t = getTranslator(locale)
        const names = { task: taskRow.title, lesson: taskRow.lesson, count: unread.length }
        return {
          subject: t('homework:messageEmail.subject', names),
          parts: {
            preheader: last.body.slice(0, 120),
            heading: t('homework:messageEmail.heading', names),
            paragraphs: [t('homework:messageEmail.text', names), ...unread.slice(-MAX_QUOTED).map(({ body }) => body)],
            button: {
              label: t('homework:messageEmail.button'),
              href: addressOf(toStudent ? 'go' : taskRow.subdomain, link),
            },
          },
        }
      },
    })
  })
}

const MAX_QUOTED = 5

async function findSubmission(tx: Tx, taskId: string, studentId: string): Promise<string | null> {
  const [row] = await tx
    .select({ id: submission.id })
    .from(submission)
    .where(and(eq(submission.taskId, taskId), eq(submission.studentId, studentId), ne(submission.state, 'draft')))
    .orderBy(sql`${submission.attempt} desc`)
    .limit(1)
  return row?.id ?? null
}

/**
 * Reviewers who wrote in the thread, hold or gave a verdict on the submission or are assigned to it; without any, the
 * staff of the course.
 */
async function findReviewers(tx: Tx, { taskId, studentId }: { taskId: string; studentId: string }): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select author_id as id from homework_message where tenant_id = current_tenant() and task_id = ${taskId}
      and student_id = ${studentId} and author_id <> ${studentId}
    union select unnest(array[assigned_to, locked_by, reviewed_by]) from submission
      where tenant_id = current_tenant() and task_id = ${taskId} and student_id = ${studentId}`)
  const involved = rows.flatMap(({ id }) => id ?? [])
  if (involved.length > 0) return involved
  const { rows: staff } = await tx.execute<{ id: string }>(sql`select distinct s.member_id as id from course_staff s
    join task t on t.tenant_id = s.tenant_id and t.course_id = s.course_id
    where s.tenant_id = current_tenant() and t.id = ${taskId}`)
  return staff.map(({ id }) => id)
}
