import { eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { isoWithOffset } from '#lib/core/shared/time-zone.ts'
import { course } from '#lib/course/table.ts'
import { tenant } from '#lib/tenant/table.ts'
import { loadCandidates } from '../rule/qualify.ts'
import type { CertificateRule } from '../rule/rule.ts'
import { loadTemplate } from '../template/template.ts'
import { takeNumber } from './number.ts'
import type { Snapshot } from './snapshot-schema.ts'

/** The default color of schools. */
export const DEFAULT_COLOR = '#1657b8'

export interface IssuedFields {
  number: string
  issuedAt: Date
  expiresAt: Date | null
  snapshot: Snapshot
}

/** Takes a number for a certificate and freezes its content. Refuses with unprocessable a rule without a template. */
export async function freezeCertificate(
  tx: Tx,
  rule: CertificateRule,
  { studentId, publicId }: { studentId: string; publicId: string },
): Promise<IssuedFields> {
  if (!rule.templateId) throw formRefusal('certificate_no_template')
  const [row] = await tx
    .select({
      tenantId: tenant.id,
      subdomain: tenant.subdomain,
      school: tenant.name,
      timeZone: tenant.timeZone,
      color: tenant.primaryColor,
      course: course.title,
      slug: course.slug,
    })
    .from(course)
    .innerJoin(tenant, eq(tenant.id, course.tenantId))
    .where(eq(course.id, rule.courseId))
  if (!row) throw new Refusal('not_found')
  const { id: _, version: __, ...template } = await loadTemplate(tx, rule.templateId)
  const [candidate] = await loadCandidates(tx, rule, { studentIds: [studentId] })
  const issuedAt = new Date()
  const day = isoWithOffset(issuedAt, row.timeZone).slice(0, 10)
  const parts = { subdomain: row.subdomain, courseSlug: row.slug, day }
  return {
    number: await takeNumber(tx, row.tenantId, rule.numberFormat, parts),
    issuedAt,
    expiresAt: endOfValidity(issuedAt, rule.validMonths),
    snapshot: {
      template,
      course: row.course,
      school: row.school,
      timeZone: row.timeZone,
      hours: rule.hours,
      score: candidate?.score ?? null,
      color: row.color ?? DEFAULT_COLOR,
      url: addressOf(row.subdomain, `/c/${publicId}`),
    },
  }
}

/** The end of a validity in months; the last day of the month when the day does not exist in it. */
export function endOfValidity(from: Date, months: number | null): Date | null {
  if (months === null) return null
  const end = new Date(from)
  end.setUTCMonth(end.getUTCMonth() + months)
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0)
  return end
}
