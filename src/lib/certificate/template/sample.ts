import { desc, eq, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { accessGrant } from '#lib/course/learning/table.ts'
import { student } from '#lib/student/table.ts'
import { tenant } from '#lib/tenant/table.ts'
import { DEFAULT_COLOR } from '../issue/snapshot.ts'
import { textsOf } from '../issue/values.ts'
import type { VariableTexts } from './fill-rules.ts'
import type { TemplateText } from './schema.ts'

const SAMPLE_ID = '00000000-0000-4000-8000-000000000000'

export interface Sample {
  texts: VariableTexts
  link: string
  color: string
}

/**
 * Sample data for a template before there is a certificate: the longest real name of the students, of a course if one
 * is given. The caller has checked the permission.
 */
export async function loadSample(
  actor: Actor,
  {
    template,
    courseId,
    courseTitle,
  }: { template: Pick<TemplateText, 'locale'>; courseId?: string; courseTitle?: string },
): Promise<Sample> {
  const t = getTranslator(template.locale)
  const [longest, color] = await inTenant(actor, async (tx) => {
    const inCourse = courseId
      ? sql`exists (select 1 from ${accessGrant} where ${accessGrant.tenantId} = ${student.tenantId}
          and ${accessGrant.studentId} = ${student.id} and ${accessGrant.courseId} = ${courseId})`
      : undefined
    const [row] = await tx
      .select({ name: student.name })
      .from(student)
      .where(inCourse)
      .orderBy(desc(sql`char_length(${student.name})`))
      .limit(1)
    const [school] = await tx.select({ color: tenant.primaryColor }).from(tenant).where(eq(tenant.id, actor.tenantId))
    return [row?.name ?? '', school?.color ?? DEFAULT_COLOR] as const
  })
  const link = addressOf(actor.subdomain, `/c/${SAMPLE_ID}`)
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt)
  expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + 2)
  const snapshot = {
    template: { ...EMPTY, locale: template.locale },
    course: courseTitle ?? t('certificate:sample.course'),
    school: actor.tenantName,
    timeZone: actor.tenantTimeZone,
    hours: 36,
    score: 92,
    color,
    url: link,
  }
  const number = `${actor.subdomain.toUpperCase()}-${issuedAt.getUTCFullYear()}-00042`
  const name = longest || t('certificate:sample.name')
  return { texts: textsOf(snapshot, { nameAsPrinted: name, number, issuedAt, expiresAt }), link, color }
}

const EMPTY: Omit<TemplateText, 'locale'> = {
  name: '',
  pageSize: 'A4',
  orientation: 'landscape',
  background: '#ffffff',
  backgroundFileId: null,
  elements: [],
}
