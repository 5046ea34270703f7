import { eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatDateTime } from '#lib/core/shared/locale.ts'
import { lesson } from '#lib/course/table.ts'
import type { SubmissionRow, TaskRow } from './attempt.ts'

/** Emails a receipt to the student in the transaction that submits the answer, once for each submission. */
export async function sendReceiptEmail(
  tx: Tx,
  actor: Actor,
  { id, attempt, state, late, submittedAt, answerBy, fileIds }: SubmissionRow,
  { title, lessonId }: TaskRow,
): Promise<void> {
  const { tenantId, email: to, locale, timeZone } = actor
  const [lessonRow] = await tx.select({ title: lesson.publishedTitle }).from(lesson).where(eq(lesson.id, lessonId))
  const t = getTranslator(locale)
  const formatInstant = (at: Date | null): string => (at ? formatDateTime(at, timeZone, locale) : '')
  const names = { task: title, lesson: lessonRow?.title ?? title, at: formatInstant(submittedAt), attempt }
  const body = composeEmail(t, {
    school: actor.tenantName,
    preheader: t('homework:receipt.text', names),
    heading: t('homework:receipt.heading'),
    paragraphs: [
      t('homework:receipt.text', names),
      ...(fileIds.length > 0 ? [t('homework:receipt.files', { count: fileIds.length })] : []),
      ...(late ? [t('homework:receipt.late')] : []),
      ...(state === 'accepted' ? [t('homework:receipt.unreviewed')] : []),
      ...(answerBy ? [t('homework:receipt.answerBy', { at: formatInstant(answerBy) })] : []),
    ],
    button: { label: t('homework:receipt.button'), href: addressOf('go', `/course/lesson/${lessonId}`) },
    footnote: t('homework:receipt.footnote'),
  })
  const subject = t('homework:receipt.subject', names)
  const onceKey = `homework/receipt/${id}/${submittedAt?.getTime() ?? 0}`
  await sendEmail({ tenantId, to, locale, subject, body, onceKey })
}
