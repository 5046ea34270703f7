import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/letter.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { lesson } from '#lib/course/table.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { homeworkMessage, submission, task } from '../table.ts'

interface Told {
  tenantId: string
  taskId: string
  studentId: string
  /** False: the reviewer is told. */
  toStudent: boolean
}

/** Mails, once for several, that messages wait which nobody has read yet. Nothing when all were read meanwhile. */
export function tellMessages({ tenantId, taskId, studentId, toStudent }: Told): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    const byOther = toStudent ? ne(homeworkMessage.authorId, studentId) : eq(homeworkMessage.authorId, studentId)
    const unread = await tx
      .select({ id: homeworkMessage.id, body: homeworkMessage.body })
      .from(homeworkMessage)
      .where(
        and(
          eq(homeworkMessage.taskId, taskId),
          eq(homeworkMessage.studentId, studentId),
          isNull(homeworkMessage.readAt),
          byOther,
        ),
      )
      .orderBy(homeworkMessage.at, homeworkMessage.id)
    const last = unread.at(-1)
    const [about] = await tx
      .select({ title: task.title, lessonId: task.lessonId, lesson: lesson.title, school: tenant.name })
      .from(task)
      .innerJoin(lesson, eq(lesson.id, task.lessonId))
      .innerJoin(tenant, eq(tenant.id, task.tenantId))
      .where(eq(task.id, taskId))
    if (!last || !about) return
    const work = await workOf(tx, taskId, studentId)
    const ids = toStudent ? [studentId] : await reviewersOf(tx, { taskId, studentId })
    for (const person of await peopleOf(tx, ids)) {
      const t = getTranslator(person.locale)
      const names = { task: about.title, lesson: about.lesson, count: unread.length }
      const href = toStudent
        ? addressOf('go', `/course/lesson/${about.lessonId}#talk-${taskId}`)
        : addressOf(await subdomainOf(tx, tenantId), `/homework/${work ?? ''}`)
      const heading = t('homework:messageLetter.heading', names)
      const paragraphs = [
        t('homework:messageLetter.text', names),
        ...unread.slice(-MOST_QUOTED).map(({ body }) => body),
      ]
      const letter = composeEmail(t, {
        school: about.school,
        preheader: last.body.slice(0, 120),
        heading,
        paragraphs,
        button: { label: t('homework:messageLetter.button'), href },
      })
      const subject = t('homework:messageLetter.subject', names)
      const onceKey = `homework/message/${last.id}/${person.id}`
      await sendEmail({ tenantId, to: person.email, locale: person.locale, subject, body: letter, onceKey })
    }
  })
}

const MOST_QUOTED = 5

async function workOf(tx: Tx, taskId: string, studentId: string): Promise<string | null> {
  const [found] = await tx
    .select({ id: submission.id })
    .from(submission)
    .where(and(eq(submission.taskId, taskId), eq(submission.studentId, studentId), ne(submission.state, 'draft')))
    .orderBy(sql`${submission.attempt} desc`)
    .limit(1)
  return found?.id ?? null
}

/** Who has taken part in the talk, holds or has judged the work, or is to; the school's staff of others hear nothing. */
async function reviewersOf(tx: Tx, { taskId, studentId }: { taskId: string; studentId: string }): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select author_id as id from homework_message where tenant_id = current_tenant() and task_id = ${taskId}
      and student_id = ${studentId} and author_id <> ${studentId}
    union select unnest(array[assigned_to, locked_by, reviewed_by]) from submission
      where tenant_id = current_tenant() and task_id = ${taskId} and student_id = ${studentId}`)
  const known = rows.flatMap(({ id }) => id ?? [])
  if (known.length > 0) return known
  const { rows: staff } = await tx.execute<{ id: string }>(sql`select distinct s.member_id as id from course_staff s
    join task t on t.tenant_id = s.tenant_id and t.course_id = s.course_id
    where s.tenant_id = current_tenant() and t.id = ${taskId}`)
  return staff.map(({ id }) => id)
}

function peopleOf(tx: Tx, ids: string[]) {
  if (ids.length === 0) return Promise.resolve([])
  return tx
    .select({ id: membership.id, email: user.email, locale: user.locale })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(inArray(membership.id, ids), isNull(membership.blockedAt)))
}

async function subdomainOf(tx: Tx, tenantId: string): Promise<string> {
  const [found] = await tx.select({ subdomain: tenant.subdomain }).from(tenant).where(eq(tenant.id, tenantId))
  return found?.subdomain ?? ''
}
