import { and, eq } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { loadAutomation, requireAutomationManager } from '../automation.ts'
import type { AutomationRunId } from '../schema.ts'
import { automationRun } from '../table.ts'
import { enqueueWebhookCall } from './call.ts'

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
