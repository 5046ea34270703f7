import { and, eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { loadAutomation, requireAutomationManager } from '../automation.ts'
import type { AutomationRunId, RotateSecret } from '../schema.ts'
import { automation, automationRun } from '../table.ts'
import { enqueueWebhookCall } from './call.ts'
import { createWebhookSecret } from './sign.ts'

/** How long requests are also signed with the previous secret. */
const PREVIOUS_SECRET_MS = DAY_MS

/**
 * Gives an automation a new secret. For a day its requests are signed with both, so that the receiver refuses none while it
 * is changed there. Refuses with forbidden, plan_inactive, not_found (also without a secret), conflict with the newer version
 * in `data`.
 */
export function rotateWebhookSecret(
  actor: Actor,
  { automationId, version }: RotateSecret,
  now = new Date(),
): Promise<{ version: number }> {
  requireAutomationManager(actor)
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const row = await loadAutomation(tx, automationId, true)
    if (!row.webhookSecret) throw new Refusal('not_found')
    if (row.version !== version) throw new Refusal('conflict', { data: { version: row.version } })
    await tx
      .update(automation)
      .set({
        webhookSecret: createWebhookSecret(),
        previousWebhookSecret: row.webhookSecret,
        previousSecretUntil: new Date(now.getTime() + PREVIOUS_SECRET_MS),
        version: version + 1,
      })
      .where(eq(automation.id, automationId))
    await recordAuditEntry(tx, actor, {
      action: 'automation.secret_rotated',
      objectId: automationId,
      objectName: row.title,
    })
    return { version: version + 1 }
  })
}

/**
 * Calls the webhook of a run that has failed again, with the same id and as often as a new one. A run that waits for its call
 * stays as it is. Refuses with forbidden, plan_inactive, not_found, conflict (it was delivered, or is no call),
 * unprocessable (automation_off).
 */
export function resendWebhook(
  actor: Actor,
  { automationId, studentId, cause }: AutomationRunId,
  now = new Date(),
): Promise<void> {
  requireAutomationManager(actor)
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const { onSince, action } = await loadAutomation(tx, automationId, true)
    const isRun = and(
      eq(automationRun.automationId, automationId),
      eq(automationRun.studentId, studentId),
      eq(automationRun.cause, cause),
    )
    const [run] = await tx.select({ result: automationRun.result }).from(automationRun).where(isRun).for('update')
    if (!run) throw new Refusal('not_found')
    if (run.result === 'pending') return
    if (run.result !== 'failed' || action !== 'callWebhook') throw new Refusal('conflict')
    if (!onSince) throw formRefusal('automation_off')
    await tx
      .update(automationRun)
      .set({ result: 'pending', reason: null, responseStatus: null, attempts: 0, nextAttemptAt: now, resentAt: now })
      .where(isRun)
    await enqueueWebhookCall({ tenantId: actor.tenantId, automationId, studentId, cause })
  })
}
