import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { lesson } from '#lib/course/table.ts'
import { notify } from '#lib/notification/notify.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'
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
      .select({ title: task.title, lessonId: task.lessonId, lesson: lesson.title, school: tenant.name })
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
    })
    for (const recipient of await loadRecipients(tx, ids)) {
      const t = getTranslator(recipient.locale)
      const names = { task: taskRow.title, lesson: taskRow.lesson, count: unread.length }
      const href = addressOf(toStudent ? 'go' : await loadSubdomain(tx, tenantId), link)
      const heading = t('homework:messageEmail.heading', names)
      const paragraphs = [t('homework:messageEmail.text', names), ...unread.slice(-MAX_QUOTED).map(({ body }) => body)]
      const body = composeEmail(t, {
        school: taskRow.school,
        preheader: last.body.slice(0, 120),
        heading,
        paragraphs,
        button: { label: t('homework:messageEmail.button'), href },
      })
      const subject = t('homework:messageEmail.subject', names)
      const onceKey = `homework/message/${last.id}/${recipient.id}`
      await sendEmail({ tenantId, to: recipient.email, locale: recipient.locale, subject, body, onceKey })
    }
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

function loadRecipients(tx: Tx, ids: string[]) {
  if (ids.length === 0) return Promise.resolve([])
  return tx
    .select({ id: membership.id, email: user.email, locale: user.locale })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(inArray(membership.id, ids), isNull(membership.blockedAt)))
}

async function loadSubdomain(tx: Tx, tenantId: string): Promise<string> {
  const [row] = await tx.select({ subdomain: tenant.subdomain }).from(tenant).where(eq(tenant.id, tenantId))
  return row?.subdomain ?? ''
}
