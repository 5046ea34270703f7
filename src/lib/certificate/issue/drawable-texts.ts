import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import { course } from '#lib/course/table.ts'
import { tenant } from '#lib/tenant/table.ts'
import { undrawableCharacters } from '../template/drawable-rules.ts'
import { fillText, type VariableTexts } from '../template/fill-rules.ts'
import type { TemplateText } from '../template/schema.ts'
import { loadTemplate } from '../template/template.ts'

interface DrawnRule {
  courseId: string
  templateId: string | null
  numberFormat: string
}

/**
 * The characters that the fonts lack in what a rule prints besides the name of the student: texts and signatures of the
 * template, and the titles of course and school and the format of numbers where the template shows them. Null when all
 * can be drawn.
 */
export async function findUndrawableTexts(
  tx: Tx,
  { courseId, templateId, numberFormat }: DrawnRule,
): Promise<string | null> {
  if (!templateId) return null
  const [[place], template] = await Promise.all([
    tx
      .select({ course: course.title, school: tenant.name })
      .from(course)
      .innerJoin(tenant, eq(tenant.id, course.tenantId))
      .where(eq(course.id, courseId)),
    loadTemplate(tx, templateId),
  ])
  return place ? undrawableCharacters(printedTexts(template, { ...place, number: numberFormat }).join(' ')) : null
}

/** Refuses with unprocessable when the fonts lack characters of a certificate's texts, before a number is used. */
export async function requireDrawableTexts(tx: Tx, rule: DrawnRule): Promise<void> {
  const characters = await findUndrawableTexts(tx, rule)
  if (characters) throw formRefusal('certificate_text_characters', { characters })
}

function printedTexts(
  template: Pick<TemplateText, 'elements'>,
  known: Pick<VariableTexts, 'course' | 'school' | 'number'>,
): string[] {
  // The others have only digits, letters of the locale and addresses.
  const texts = { name: '1', date: '1', expires: '1', hours: '1', score: '1', url: '1', ...known }
  return template.elements.flatMap((element) => {
    if (element.kind === 'text') return fillText(element.value, texts) ?? []
    return element.kind === 'signature' ? [element.name, element.role] : []
  })
}
