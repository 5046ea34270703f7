import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { fillVariables } from '#lib/core/shared/text/variables.ts'
import { addInboxTasks } from '#lib/inbox/task.ts'
import type { EmailRecipient, NotificationEmail } from '#lib/notification/compose.ts'
import { loadEmailSchool } from '#lib/notification/delivery/school.ts'
import { notify } from '#lib/notification/notify.ts'
import { tagStudents } from '#lib/student/list/tag-students.ts'
import { changeAccessOfStudents } from './change-access.ts'
import type { Match } from './find-matches.ts'
import type { AutomationRow } from './table.ts'
import { enqueueWebhookCall } from './webhook/call.ts'

/**
 * Acts for students whose runs were stored in the same transaction, so that each cause has its effect once. A run whose
 * action is impossible, e.g. because the group is full, is stored as refused.
 */
export async function performActions(tx: Tx, row: AutomationRow, matches: readonly Match[], now: Date): Promise<void> {
  if (matches.length === 0) return
  switch (row.action) {
    case 'notify':
      return notifyStudents(tx, row, matches, now)
    case 'task':
      return addInboxTasks(
        tx,
        row.tenantId,
        matches.map((match) => ({
          studentId: match.studentId,
          courseId: match.courseId,
          source: row.title,
          text: textFor(row, match),
        })),
      )
    case 'tag':
      return tagStudents(
        tx,
        row.tenantId,
        matches.map(({ studentId }) => studentId),
        row.tag,
      )
    case 'giveCourse':
    case 'addToGroup':
    case 'removeFromGroup':
      return changeAccessOfStudents(tx, row, matches)
    case 'callWebhook':
      for (const { studentId, cause } of matches)
        await enqueueWebhookCall({ ...automationKeyOf(row), studentId, cause })
  }
}

const automationKeyOf = ({ tenantId, id }: AutomationRow) => ({ tenantId, automationId: id })

/** Students with the same text and page are notified together. */
async function notifyStudents(tx: Tx, row: AutomationRow, matches: readonly Match[], now: Date): Promise<void> {
  const school = await loadEmailSchool(tx)
  if (!school) return
  const groups = Map.groupBy(matches, (match) => `${match.link}\n${match.cause}\n${textFor(row, match)}`)
  for (const [first, ...others] of groups.values()) {
    if (!first) continue
    const text = textFor(row, first)
    await notify(
      tx,
      {
        kind: 'automation_message',
        memberIds: [first, ...others].map(({ studentId }) => studentId),
        key: `automation/${row.id}/${first.cause}`,
        data: { subject: row.subject, context: text },
        link: first.link,
        ...(first.courseId && { subjects: [{ type: 'course' as const, id: first.courseId }] }),
        email: (recipient) => composeMessage(recipient, { row, text, school: school.name, link: first.link }),
      },
      now,
    )
  }
}

const textFor = ({ text }: AutomationRow, { firstName, patronymic, name, subject }: Match): string =>
  fillVariables(text, { name: firstName || name, patronymic, subject })

function composeMessage(
  { locale }: EmailRecipient,
  { row, text, school, link }: { row: AutomationRow; text: string; school: string; link: string },
): NotificationEmail {
  const t = getTranslator(locale)
  return {
    subject: row.subject,
    parts: {
      preheader: text.slice(0, 120),
      heading: row.subject,
      paragraphs: text.split(/\n{2,}/),
      button: { label: t('automation:email.open'), href: addressOf('go', link) },
      footnote: t('automation:email.footnote', { school }),
    },
  }
}
