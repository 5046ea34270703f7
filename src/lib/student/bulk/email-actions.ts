import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { canDeliverTo } from '#lib/core/mail/deliverability.ts'
import { composeEmail, type EmailBody } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { setMemberStatus } from '#lib/user/member.ts'
import { replaceInvitation } from '../invitation.ts'
import { statusOnInvitation } from '../rules.ts'
import type { BulkBatch, BulkStudent, Outcomes, RowOutcome } from './batch.ts'
import { RECALL_SECONDS } from './schema.ts'

/** Sends a new invitation link to those who have not accepted, as many as the school may email today. */
export async function inviteAgain(batch: BulkBatch, message: string): Promise<Outcomes> {
  const { tx, actor } = batch
  const school = await getTenant(actor.tenantId)
  return emailEach(batch, 'invitations', isInvited, async ({ id, email, status, locale }) => {
    const next = statusOnInvitation(status, status === 'registered')
    if (next !== status) await setMemberStatus(actor.tenantId, id, next)
    await replaceInvitation(tx, school, {
      studentId: id,
      invitedBy: actor.membershipId,
      email,
      locale,
      message: message || undefined,
    })
  })
}

/** Emails a batch; each email waits for a minute, in which the job can be recalled. */
export async function emailStudents(batch: BulkBatch, text: { subject: string; text: string }): Promise<Outcomes> {
  const { actor, jobId } = batch
  const sendAfter = new Date(Date.now() + RECALL_SECONDS * 1000)
  return emailEach(batch, 'students', isReachable, ({ id, email, locale }) =>
    sendEmail({
      tenantId: actor.tenantId,
      to: email,
      locale,
      subject: text.subject,
      body: composeStudentEmail(actor.tenantName, locale, text),
      onceKey: bulkEmailKey(jobId, id),
      sendAfter,
    }),
  )
}

/** The email of a bulk action as its reader sees it. */
export function composeStudentEmail(
  school: string,
  locale: Locale,
  { subject, text }: { subject: string; text: string },
): EmailBody {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  return composeEmail(getTranslator(locale), { school, heading: subject, paragraphs })
}

/** The `onceKey` of the email to one student, or the beginning of all of a job. */
export const bulkEmailKey = (jobId: string, studentId = ''): string => `students:${jobId}:${studentId}`

const isInvited = ({ status, blockedAt }: BulkStudent): RowOutcome | null => {
  if (blockedAt) return { outcome: 'failed', reason: 'blocked' }
  return status === 'accepted' ? { outcome: 'unchanged', reason: 'already_accepted' } : null
}

const isReachable = ({ blockedAt }: BulkStudent): RowOutcome | null =>
  blockedAt ? { outcome: 'failed', reason: 'blocked' } : null

async function emailEach(
  { tx, actor, students }: BulkBatch,
  kind: 'invitations' | 'students',
  exception: (student: BulkStudent) => RowOutcome | null,
  send: (student: BulkStudent) => Promise<unknown>,
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map()
  const recipients: BulkStudent[] = []
  for (const student of students) {
    const outcome = exception(student)
    if (outcome) outcomes.set(student.id, outcome)
    else if (await canDeliverTo(student.email)) recipients.push(student)
    else outcomes.set(student.id, { outcome: 'failed', reason: 'undeliverable' })
  }
  if (recipients.length === 0) return outcomes
  const { granted } = await spendDailyEmails(tx, actor, kind, recipients.length, { allowsPartial: true })
  for (const [index, student] of recipients.entries()) {
    outcomes.set(student.id, index < granted ? await outcomeOf(send(student)) : LIMIT)
  }
  return outcomes
}

const LIMIT: RowOutcome = { outcome: 'failed', reason: 'letters_of_day' }

/** A student who was invited ten times today is refused before anything is written. */
async function outcomeOf(sending: Promise<unknown>): Promise<RowOutcome> {
  try {
    await sending
    return { outcome: 'done' }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'too_many') return { outcome: 'failed', reason: 'too_many' }
    throw error
  }
}
