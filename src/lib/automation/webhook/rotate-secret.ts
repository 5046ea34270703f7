import { eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { loadAutomation, requireAutomationManager } from '../automation.ts'
import type { RotateSecret } from '../schema.ts'
import { automation } from '../table.ts'
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
