import { recordAuditEntry } from '#lib/audit/audit.ts'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { queueEmail } from '#lib/core/mail/mail.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findRisks, requireVerdict, studentName } from './card.ts'
import { lockStudent } from './profile.ts'
import { canRemind, type Risk } from './rules.ts'
import type { StudentId } from './schema.ts'
import type { CardSection } from './section.ts'

/**
 * Emails a student a reminder about the risks, at most once a day: a second call the same day sends nothing and returns
 * false. Refuses with forbidden (also `not_accepted`, `blocked`, `deleted`), plan_inactive, not_found, unprocessable
 * (without risks), too_many.
 */
export function remindStudent(actor: Actor, input: StudentId, sections: readonly CardSection[]): Promise<boolean> {
  const { studentId } = input
  return inTenant(actor, async (tx) => {
    const student = await lockStudent(tx, actor, studentId)
    requireVerdict(canRemind(student))
    const now = new Date()
    const risks = await findRisks(tx, studentId, sections, now)
    if (risks.length === 0) throw new Refusal('unprocessable', { fields: { form: ['card_no_risk'] } })
    const { email, locale } = student
    const t = getTranslator(locale)
    const school = actor.tenantName
    const body = composeEmail(t, {
      school,
      heading: t('student:reminderEmail.heading', { school }),
      paragraphs: [
        t('student:reminderEmail.text', { school }),
        ...risks.map((risk) => t(`student:reminderEmail.${risk.kind}`, { count: risk.count, title: risk.title ?? '' })),
      ],
      button: { label: t('student:reminderEmail.button'), href: addressOf('go', '/profile') },
      footnote: t('student:reminderEmail.footnote', { school }),
    })
    const day = now.toISOString().slice(0, 10)
    const mailId = await queueEmail({
      tenantId: actor.tenantId,
      to: email,
      locale,
      subject: t('student:reminderEmail.subject', { school }),
      body,
      onceKey: `student-reminder:${studentId}:${day}`,
    })
    if (!mailId) return false
    await spendDailyEmails(tx, actor, 'students', 1)
    const reasons = risks.map(({ kind }: Risk) => kind)
    await recordAuditEntry(tx, actor, {
      action: 'student.reminded',
      objectId: studentId,
      objectName: studentName(student),
      after: { reasons },
    })
    return true
  })
}
