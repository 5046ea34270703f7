import { eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { course } from '#lib/course/table.ts'
import { notify } from '#lib/notification/notify.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { certificate } from '../table.ts'

/** The kinds of emails about certificates. */
export type CertificateEmail =
  | 'confirm'
  | 'issued'
  | 'reissued'
  | 'revoked'
  | 'requested'
  | 'approved'
  | 'produced'
  | 'sent'
  | 'received'
  | 'declined'

const PUBLIC: readonly CertificateEmail[] = ['issued', 'reissued', 'produced', 'received']

/**
 * Notifies the student, also by email, of a step of a certificate, in their language and in the transaction of the step. One email per
 * step of a certificate; none to a blocked student.
 */
export async function emailStudent(tx: Tx, certificateId: string, kind: CertificateEmail): Promise<void> {
  const [row] = await tx
    .select({
      studentId: certificate.studentId,
      courseId: certificate.courseId,
      publicId: certificate.publicId,
      number: certificate.number,
      nameAsPrinted: certificate.nameAsPrinted,
      reason: certificate.reason,
      trackingNumber: certificate.trackingNumber,
      course: course.title,
      subdomain: tenant.subdomain,
      locale: user.locale,
    })
    .from(certificate)
    .innerJoin(course, eq(course.id, certificate.courseId))
    .innerJoin(tenant, eq(tenant.id, certificate.tenantId))
    .innerJoin(membership, eq(membership.id, certificate.studentId))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(certificate.id, certificateId))
  if (!row) return
  const t = getTranslator(row.locale)
  const names = { course: row.course, name: row.nameAsPrinted, number: row.number ?? '' }
  const text = t(`certificate:email.${kind}.text`, names)
  const coursePath = `/course/view/${row.courseId}`
  const href = PUBLIC.includes(kind) ? addressOf(row.subdomain, `/c/${row.publicId}`) : addressOf('go', coursePath)
  const parts = {
    preheader: text,
    heading: t(`certificate:email.${kind}.heading`, names),
    paragraphs: [
      text,
      ...(kind === 'sent' && row.trackingNumber
        ? [t('certificate:email.tracking', { number: row.trackingNumber })]
        : []),
      ...((kind === 'declined' || kind === 'revoked') && row.reason
        ? [t('certificate:email.reason', { reason: row.reason })]
        : []),
    ],
    button: { label: t(PUBLIC.includes(kind) ? 'certificate:email.open' : 'certificate:email.course'), href },
  }
  const key = `certificate/${certificateId}/${kind}`
  await notify(tx, {
    kind: `certificate_${kind}`,
    memberIds: [row.studentId],
    key,
    data: { subject: row.course },
    link: coursePath,
    subjects: [{ type: 'course', id: row.courseId }],
    email: () => ({ subject: t(`certificate:email.${kind}.subject`, names), parts }),
  })
}
