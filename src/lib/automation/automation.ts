import { and, asc, desc, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { courseIdOfGroup } from '#lib/course/group/group.ts'
import { studyGroup } from '#lib/course/learning/table.ts'
import { course } from '#lib/course/table.ts'
import { findMatches } from './find-matches.ts'
import type { AutomationDetails, AutomationPage, AutomationPreview } from './output-schema.ts'
import { canManageAutomations } from './rules.ts'
import type {
  AutomationAction,
  AutomationId,
  AutomationSettings,
  ListAutomations,
  SaveAutomation,
  SwitchAutomation,
} from './schema.ts'
import { type AutomationRow, automation, automationRun } from './table.ts'
import { createWebhookSecret, readWebhookSecret } from './webhook/sign.ts'

const MAX_AUTOMATIONS = 50
const MAX_COURSES = 1000
const PREVIEW_DAYS = 30
const PREVIEW_ROWS = 100

/** The automations of the school, newest first, with the number of students reached in 30 days. Refuses with forbidden. */
export function listAutomations(
  actor: Actor,
  { cursor, limit }: ListAutomations,
  now = new Date(),
): Promise<AutomationPage> {
  requireAutomationManager(actor)
  const after = readCursor(InstantKey, cursor)
  const since = new Date(now.getTime() - PREVIEW_DAYS * DAY_MS).toISOString()
  return inTenant(actor, async (tx) => {
    const rows = await tx
      .select({
        id: automation.id,
        title: automation.title,
        trigger: automation.trigger,
        action: automation.action,
        days: automation.days,
        delayHours: automation.delayHours,
        course: course.title,
        isOn: sql<boolean>`${automation.onSince} is not null`,
        reached: sql<number>`(select count(*)::int from ${automationRun} r where r.tenant_id = ${automation.tenantId}
          and r.automation_id = ${automation.id} and r.created_at > ${since}::timestamptz)`,
        micros: microsecondsOf(automation.createdAt),
      })
      .from(automation)
      .leftJoin(course, and(eq(course.tenantId, automation.tenantId), eq(course.id, automation.courseId)))
      .where(and(isPresent, after ? sql`(${automation.createdAt}, ${automation.id}) < ${rowOfKey(after)}` : undefined))
      .orderBy(desc(automation.createdAt), desc(automation.id))
      .limit(limit + 1)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map(({ micros: _, ...row }) => row),
      next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null,
    }
  })
}

/** The courses that an automation can be limited to, by title. Refuses with forbidden. */
export function listAutomationCourses(actor: Actor): Promise<{ id: string; title: string }[]> {
  requireAutomationManager(actor)
  return inTenant(actor, (tx) =>
    tx
      .select({ id: course.id, title: course.title })
      .from(course)
      .where(and(eq(course.tenantId, actor.tenantId), ne(course.status, 'archived')))
      .orderBy(asc(course.title), asc(course.id))
      .limit(MAX_COURSES),
  )
}

/** The study groups that take students, with their courses, by course and name. Refuses with forbidden. */
export function listAutomationGroups(actor: Actor): Promise<{ id: string; name: string; course: string }[]> {
  requireAutomationManager(actor)
  return inTenant(actor, (tx) =>
    tx
      .select({ id: studyGroup.id, name: studyGroup.name, course: course.title })
      .from(studyGroup)
      .innerJoin(course, and(eq(course.tenantId, studyGroup.tenantId), eq(course.id, studyGroup.courseId)))
      .where(and(eq(studyGroup.tenantId, actor.tenantId), isNull(studyGroup.archivedAt)))
      .orderBy(asc(course.title), asc(studyGroup.name), asc(studyGroup.id))
      .limit(MAX_COURSES),
  )
}

/** One automation. Refuses with forbidden, not_found. */
export function getAutomation(
  actor: Actor,
  { automationId }: AutomationId,
  now = new Date(),
): Promise<AutomationDetails> {
  requireAutomationManager(actor)
  return inTenant(actor, async (tx) => {
    const row = await loadAutomation(tx, automationId)
    return {
      id: row.id,
      version: row.version,
      isOn: row.onSince !== null,
      settings: automationSettingsOf(row),
      webhookSecret: row.webhookSecret && readWebhookSecret(row.webhookSecret),
      previousSecretUntil: row.previousSecretUntil && row.previousSecretUntil > now ? row.previousSecretUntil : null,
    }
  })
}

/**
 * Creates an automation, switched off, or saves one based on `version`; the same settings again change nothing. What was
 * done stays done. Refuses with forbidden, plan_inactive, not_found (also the course), conflict with the newer version in
 * `data`, unprocessable (automations_exhausted).
 */
export function saveAutomation(actor: Actor, input: SaveAutomation): Promise<{ version: number }> {
  requireAutomationManager(actor)
  requirePlan(actor, 'lms')
  const { automationId, version, settings } = input
  return inTenant(actor, async (tx) => {
    const values = { ...settings, courseId: settings.trigger === 'eventMissed' ? null : settings.courseId }
    if (values.courseId) await requireKnownCourse(tx, values.courseId)
    if (values.givenCourseId) await requireKnownCourse(tx, values.givenCourseId)
    if (values.groupId) await courseIdOfGroup(tx, values.groupId)
    await lockAutomations(tx, actor)
    const [row] = await tx.select().from(automation).where(eq(automation.id, automationId)).for('update')
    if (row?.deletedAt) throw new Refusal('not_found')
    if (!row) return insertAutomation(tx, actor, automationId, values)
    if (JSON.stringify(automationSettingsOf(row)) === JSON.stringify(values)) return { version: row.version }
    if (row.version !== version) throw new Refusal('conflict', { data: { version: row.version } })
    await tx
      .update(automation)
      .set({ ...values, version: version + 1, webhookSecret: row.webhookSecret ?? newSecretFor(values.action) })
      .where(eq(automation.id, automationId))
    await recordAuditEntry(tx, actor, {
      action: 'automation.changed',
      objectId: automationId,
      objectName: values.title,
      before: { label: row.title },
      after: { label: values.title },
    })
    return { version: version + 1 }
  })
}

/**
 * Switches an automation on or off; the same again does nothing. It acts after what happens from now on. Refuses with
 * forbidden, plan_inactive, not_found.
 */
export function switchAutomation(
  actor: Actor,
  { automationId, isOn }: SwitchAutomation,
  now = new Date(),
): Promise<void> {
  requireAutomationManager(actor)
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const row = await loadAutomation(tx, automationId, true)
    if ((row.onSince !== null) === isOn) return
    await tx
      .update(automation)
      .set({ onSince: isOn ? now : null })
      .where(eq(automation.id, automationId))
    await recordAuditEntry(tx, actor, {
      action: 'automation.changed',
      objectId: automationId,
      objectName: row.title,
      before: { enabled: !isOn },
      after: { enabled: isOn },
    })
  })
}

/** Deletes an automation; what it has done stays. Refuses with forbidden, plan_inactive, not_found. */
export function deleteAutomation(actor: Actor, { automationId }: AutomationId): Promise<void> {
  requireAutomationManager(actor)
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const row = await loadAutomation(tx, automationId, true)
    await tx.update(automation).set({ deletedAt: new Date(), onSince: null }).where(eq(automation.id, automationId))
    await recordAuditEntry(tx, actor, {
      action: 'automation.deleted',
      objectId: automationId,
      objectName: row.title,
      before: { label: row.title },
    })
  })
}

/**
 * Whom an automation would have reached in the last 30 days, in the order of time, with the number of all. Nothing is done.
 * Refuses with forbidden, not_found.
 */
export function previewAutomation(
  actor: Actor,
  { automationId }: AutomationId,
  now = new Date(),
): Promise<AutomationPreview> {
  requireAutomationManager(actor)
  return inTenant(actor, async (tx) => {
    const row = await loadAutomation(tx, automationId)
    const from = new Date(now.getTime() - PREVIEW_DAYS * DAY_MS)
    const { matches, total } = await findMatches(tx, row, { from, to: now, isDryRun: true, limit: PREVIEW_ROWS })
    const items = matches.map(({ studentId, name, subject, dueAt }) => ({ studentId, name, subject, dueAt }))
    return { total, items }
  })
}

/** Refuses with forbidden unless the actor may manage automations. */
export function requireAutomationManager(actor: Actor): void {
  const { allow, reason } = canManageAutomations(actor)
  if (!allow) throw new Refusal('forbidden', { data: { reason } })
}

const isPresent: SQL | undefined = and(eq(automation.tenantId, sql`current_tenant()`), isNull(automation.deletedAt))

/** An automation that is not deleted, locked if wanted. Refuses with not_found. */
export async function loadAutomation(tx: Tx, automationId: string, isLocked = false): Promise<AutomationRow> {
  const rows = tx
    .select()
    .from(automation)
    .where(and(isPresent, eq(automation.id, automationId)))
  const [row] = isLocked ? await rows.for('update') : await rows
  if (!row) throw new Refusal('not_found')
  return row
}

/** In the order of the schema, so that equal settings are serialized equally. */
const automationSettingsOf = (row: AutomationRow): AutomationSettings => ({
  title: row.title,
  trigger: row.trigger,
  courseId: row.courseId,
  days: row.days,
  delayHours: row.delayHours,
  action: row.action,
  subject: row.subject,
  text: row.text,
  tag: row.tag,
  givenCourseId: row.givenCourseId,
  groupId: row.groupId,
  webhookAddress: row.webhookAddress,
})

const newSecretFor = (action: AutomationAction): string | null =>
  action === 'callWebhook' ? createWebhookSecret() : null

async function insertAutomation(
  tx: Tx,
  actor: Actor,
  id: string,
  values: AutomationSettings,
): Promise<{ version: number }> {
  const present = await tx.$count(automation, isPresent)
  if (present >= MAX_AUTOMATIONS) {
    throw formRefusal('automations_exhausted', { max: MAX_AUTOMATIONS })
  }
  await tx.insert(automation).values({
    tenantId: actor.tenantId,
    id,
    createdBy: actor.membershipId,
    webhookSecret: newSecretFor(values.action),
    ...values,
  })
  await recordAuditEntry(tx, actor, {
    action: 'automation.created',
    objectId: id,
    objectName: values.title,
    after: { label: values.title },
  })
  return { version: 1 }
}

/** Concurrent requests cannot exceed the number of automations together. */
async function lockAutomations(tx: Tx, { tenantId }: Actor): Promise<void> {
  await lockUntilCommit(tx, 'automations', tenantId)
}

async function requireKnownCourse(tx: Tx, courseId: string): Promise<void> {
  const [found] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
  if (!found) throw new Refusal('not_found')
}
