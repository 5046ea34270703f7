import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { requireAllowed } from '#lib/course/permission.ts'
import { canSeeCourse } from '#lib/course/rules.ts'
import { attachFiles, detachFiles } from '#lib/storage/file-use.ts'
import { file } from '#lib/storage/table.ts'
import { requireCertificateManager } from '../permission.ts'
import { certificateRule, certificateTemplate } from '../table.ts'
import { templateFileIdsOf } from './images.ts'
import { presetTemplate } from './presets.ts'
import { type CreateTemplate, type SaveTemplate, TemplateText } from './schema.ts'

export interface TemplateRow extends TemplateText {
  id: string
  version: number
}

/** Maximum number of templates per tenant. */
const MAX_TEMPLATES = 100

/** The templates of the school, oldest first. Refuses with forbidden. */
export async function listTemplates(actor: Actor): Promise<TemplateRow[]> {
  requireAllowed(canSeeCourse(actor))
  const rows = await inTenant(actor, (tx) =>
    tx
      .select()
      .from(certificateTemplate)
      .orderBy(asc(certificateTemplate.createdAt), asc(certificateTemplate.id))
      .limit(MAX_TEMPLATES),
  )
  return rows.map(toTemplate)
}

/** A template. Refuses with forbidden, not_found. */
export function getTemplate(actor: Actor, input: { templateId: string }): Promise<TemplateRow> {
  requireAllowed(canSeeCourse(actor))
  const { templateId } = input
  return inTenant(actor, (tx) => loadTemplate(tx, templateId))
}

/** A template by its id, in the transaction of the caller, who has checked the permission. Refuses with not_found. */
export async function loadTemplate(tx: Tx, templateId: string): Promise<TemplateRow> {
  const [row] = await tx.select().from(certificateTemplate).where(eq(certificateTemplate.id, templateId))
  if (!row) throw new Refusal('not_found')
  return toTemplate(row)
}

/**
 * Creates a template from a predefined one. Posting it twice creates one. Refuses with forbidden, plan_inactive,
 * unprocessable.
 */
export async function createTemplate(actor: Actor, input: CreateTemplate): Promise<{ templateId: string }> {
  requireCertificateManager(actor)
  const { templateId, preset, locale } = input
  return inTenant(actor, async (tx) => {
    if ((await tx.$count(certificateTemplate)) >= MAX_TEMPLATES) throw formRefusal('certificate_templates_full')
    const row = { tenantId: actor.tenantId, id: templateId, ...presetTemplate(preset, locale) }
    await tx.insert(certificateTemplate).values(row).onConflictDoNothing()
    return { templateId }
  })
}

/**
 * Saves a template based on `version`. Refuses with conflict when it has a newer version, with the newer text in `data`;
 * the same text sent again succeeds. Refuses with forbidden, plan_inactive, not_found, wrong_type (a file that is no image).
 */
export function saveTemplate(actor: Actor, input: SaveTemplate): Promise<{ version: number }> {
  requireCertificateManager(actor)
  const { templateId, version, ...text } = input
  return inTenant(actor, async (tx) => {
    const { id: _, version: currentVersion, ...current } = await loadTemplate(tx, templateId)
    await requireImages(tx, templateFileIdsOf(text))
    const [saved] = await tx
      .update(certificateTemplate)
      .set({ ...text, version: sql`${certificateTemplate.version} + 1`, updatedAt: new Date() })
      .where(and(eq(certificateTemplate.id, templateId), eq(certificateTemplate.version, version)))
      .returning({ version: certificateTemplate.version })
    if (saved) {
      await attachFiles(actor, { kind: 'certificate', id: templateId, title: text.name }, templateFileIdsOf(text))
      return saved
    }
    if (JSON.stringify(current) === JSON.stringify(parseStored(TemplateText, text))) return { version: currentVersion }
    throw new Refusal('conflict', { data: { version: currentVersion, ...current } })
  })
}

/**
 * Deletes a template; issued certificates keep their design. Refuses with unprocessable (certificate_template_used)
 * while a course uses it, forbidden, plan_inactive, not_found.
 */
export function deleteTemplate(actor: Actor, input: { templateId: string }): Promise<void> {
  requireCertificateManager(actor)
  const { templateId } = input
  return inTenant(actor, async (tx) => {
    await loadTemplate(tx, templateId)
    if ((await tx.$count(certificateRule, eq(certificateRule.templateId, templateId))) > 0)
      throw formRefusal('certificate_template_used')
    await tx.delete(certificateTemplate).where(eq(certificateTemplate.id, templateId))
    await detachFiles(actor, { kind: 'certificate', id: templateId })
  })
}

async function requireImages(tx: Tx, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return
  const isImage = and(eq(file.kind, 'image'), eq(file.area, 'storage'), isNull(file.deletedAt))
  const found = await tx.$count(file, and(inArray(file.id, [...fileIds]), isImage))
  if (found < fileIds.length)
    throw new Refusal('wrong_type', { fields: { file: ['file_type'] }, variables: { name: '' } })
}

// Parsing sorts the fields, so that equal templates are serialized equally.
function toTemplate({ id, version, ...row }: typeof certificateTemplate.$inferSelect): TemplateRow {
  return { id, version, ...parseStored(TemplateText, row) }
}
