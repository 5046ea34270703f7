import { sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import type { NotificationEmail } from '#lib/notification/compose.ts'
import { notify } from '#lib/notification/notify.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { findRisks, requireVerdict, studentName } from './card.ts'
import { lockStudent } from './profile.ts'
import { canRemind, type Risk } from './rules.ts'
import type { StudentId } from './schema.ts'
import type { CardSection } from './section.ts'

/**
 * Reminds a student of the risks, at most once a day and by the channels that the student has chosen: a second call the
 * same day sends nothing and returns false. Refuses with forbidden (also `not_accepted`, `blocked`, `deleted`),
 * plan_inactive, not_found, unprocessable (without risks), too_many (100 an hour, MAX_EMAILS_PER_DAY for the tenant).
 */
export async function remindStudent(
  actor: Actor,
  input: StudentId,
  sections: readonly CardSection[],
): Promise<boolean> {
  const { studentId } = input
  // Before the count, which is shared by the school.
  requireStudentAdministrator(actor)
  await countAttempt(`remind:${actor.tenantId}`, { limit: 100, windowSeconds: HOUR_SECONDS })
  return inTenant(actor, async (tx) => {
    const student = await lockStudent(tx, actor, studentId)
    requireVerdict(canRemind(student))
    const now = new Date()
    const risks = await findRisks(tx, studentId, sections, now)
    if (risks.length === 0) throw formRefusal('card_no_risk')
    const key = `student/reminder/${now.toISOString().slice(0, 10)}`
    if (await isReminded(tx, studentId, key)) return false
    const school = actor.tenantName
    await notify(tx, {
      kind: 'student_reminder',
      memberIds: [studentId],
      key,
      data: { subject: school },
      link: '/profile',
      email: ({ locale }) => composeReminder(locale, school, risks),
    })
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

// The row of the student is locked, so that two requests cannot both find nothing.
async function isReminded(tx: Tx, studentId: string, key: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select 1 from notification_cause where tenant_id = current_tenant()
    and member_id = ${studentId} and key = ${key}`)
  return rows.length > 0
}

function composeReminder(locale: Locale, school: string, risks: readonly Risk[]): NotificationEmail {
  const t = getTranslator(locale)
  return {
    subject: t('student:reminderEmail.subject', { school }),
    parts: {
      heading: t('student:reminderEmail.heading', { school }),
      paragraphs: [
        t('student:reminderEmail.text', { school }),
        ...risks.map((risk) => t(`student:reminderEmail.${risk.kind}`, { count: risk.count, title: risk.title ?? '' })),
      ],
      button: { label: t('student:reminderEmail.button'), href: addressOf('go', '/profile') },
      footnote: t('student:reminderEmail.footnote', { school }),
    },
  }
}
