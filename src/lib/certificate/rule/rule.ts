import { and, eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { quiz } from '#lib/quiz/table.ts'
import { requireDrawableTexts } from '../issue/drawable-texts.ts'
import { requireCertificateManager, requireCertificateViewer, requireCourseTitle } from '../permission.ts'
import { certificateRule, certificateTemplate } from '../table.ts'
import { RuleText, type SaveRule } from './schema.ts'
import { requireTest } from './test-score.ts'

export interface CertificateRule extends RuleText {
  courseId: string
  /** 0: no rule is saved yet. */
  version: number
}

/** The rule of a course; a course without one gets the defaults with version 0. Refuses with forbidden, not_found. */
export function getRule(actor: Actor, input: { courseId: string }): Promise<CertificateRule> {
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    await requireCertificateViewer(tx, actor, courseId)
    return (await loadRule(tx, courseId)) ?? { ...RuleText.parse({}), enabled: false, courseId, version: 0 }
  })
}

/** The rule of a course, or null, in the transaction of the caller, who has checked the permission. */
export async function loadRule(tx: Tx, courseId: string): Promise<CertificateRule | null> {
  const [row] = await tx.select().from(certificateRule).where(eq(certificateRule.courseId, courseId))
  if (!row) return null
  const { tenantId: _, updatedAt: __, ...rule } = row
  return rule
}

/**
 * Saves the rule of a course based on `version`, 0 for a new one, and checks the students of the course again. Refuses
 * with conflict when it has changed meanwhile, invalid (without a template), not_found (also a template or test), forbidden, plan_inactive.
 */
export function saveRule(actor: Actor, input: SaveRule): Promise<{ version: number }> {
  requireCertificateManager(actor)
  const { courseId, version, ...text } = input
  return inTenant(actor, async (tx) => {
    const title = await requireCourseTitle(tx, courseId)
    if (text.enabled) {
      await requireTemplate(tx, text.templateId)
      await requireDrawableTexts(tx, { courseId, ...text })
    }
    if (text.testId) await requireTest(tx, courseId, text.testId)
    const before = await loadRule(tx, courseId)
    const values = { ...text, updatedAt: new Date() }
    const [saved] =
      version === 0
        ? await tx
            .insert(certificateRule)
            .values({ tenantId: actor.tenantId, courseId, ...values })
            .onConflictDoNothing()
            .returning({ version: certificateRule.version })
        : await tx
            .update(certificateRule)
            .set({ ...values, version: sql`${certificateRule.version} + 1` })
            .where(and(eq(certificateRule.courseId, courseId), eq(certificateRule.version, version)))
            .returning({ version: certificateRule.version })
    if (!saved) return sameRuleOrConflict(tx, courseId, text)
    await recordAuditEntry(tx, actor, {
      action: 'certificate.rule_changed',
      objectId: courseId,
      objectName: title,
      before: before ? await ruleAuditValues(tx, before) : undefined,
      after: await ruleAuditValues(tx, text),
    })
    await enqueueJob('certificate.checkCourse', { tenantId: actor.tenantId, courseId }, { singletonKey: courseId })
    return saved
  })
}

async function ruleAuditValues(tx: Tx, rule: RuleText): Promise<AuditValues> {
  const { enabled, type, templateId, minCompletion, requireTasks, testId, minScore, deadline } = rule
  const { autoIssue, confirmName, validMonths, hours, numberFormat } = rule
  const { name } = certificateTemplate
  const [[template], [test]] = await Promise.all([
    templateId ? tx.select({ name }).from(certificateTemplate).where(eq(certificateTemplate.id, templateId)) : [],
    testId ? tx.select({ title: quiz.title }).from(quiz).where(eq(quiz.id, testId)) : [],
  ])
  return {
    enabled,
    type,
    minCompletion,
    requireTasks,
    minScore,
    autoIssue,
    confirmName,
    validMonths,
    hours,
    numberFormat,
    template: template?.name ?? null,
    test: test?.title ?? null,
    deadline: deadline?.toISOString() ?? null,
  }
}

/** A form that was posted twice has already saved the same rule. */
async function sameRuleOrConflict(tx: Tx, courseId: string, text: RuleText): Promise<{ version: number }> {
  const current = await loadRule(tx, courseId)
  if (!current) throw new Refusal('not_found')
  const { courseId: _, version, ...saved } = current
  if (JSON.stringify(parseStored(RuleText, saved)) === JSON.stringify(parseStored(RuleText, text))) return { version }
  throw new Refusal('conflict', { data: { version } })
}

async function requireTemplate(tx: Tx, templateId: string | null): Promise<void> {
  if (!templateId) throw new Refusal('invalid', { fields: { templateId: ['required'] } })
  if ((await tx.$count(certificateTemplate, eq(certificateTemplate.id, templateId))) === 0)
    throw new Refusal('not_found')
}
