import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireAllowed, requireLearningPlan } from '#lib/course/permission.ts'
import { canChangePolicy } from './rules.ts'
import type { QuizPolicy } from './schema.ts'
import { quizPolicy } from './table.ts'

const DEFAULT_OUTAGE_CAP_MINUTES = 30

/** Refuses with forbidden. */
export async function getQuizPolicy(actor: Actor): Promise<QuizPolicy> {
  requireAllowed(canChangePolicy(actor))
  return inTenant(actor, loadQuizPolicy)
}

/** The policy of the tenant for other functions of the module. The caller has checked the permission. */
export async function loadQuizPolicy(tx: Tx): Promise<QuizPolicy> {
  const [row] = await tx.select({ outageCapMinutes: quizPolicy.outageCapMinutes }).from(quizPolicy)
  return row ?? { outageCapMinutes: DEFAULT_OUTAGE_CAP_MINUTES }
}

/** Changes the policy; the audit log records the author. Refuses with forbidden, plan_inactive. */
export async function setQuizPolicy(actor: Actor, input: QuizPolicy): Promise<QuizPolicy> {
  requireAllowed(canChangePolicy(actor))
  requireLearningPlan(actor)
  const { outageCapMinutes } = input
  return inTenant(actor, async (tx) => {
    const before = await loadQuizPolicy(tx)
    if (before.outageCapMinutes === outageCapMinutes) return before
    await tx
      .insert(quizPolicy)
      .values({ tenantId: actor.tenantId, outageCapMinutes })
      .onConflictDoUpdate({ target: quizPolicy.tenantId, set: { outageCapMinutes } })
    await recordAuditEntry(tx, actor, {
      action: 'settings.changed',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      before: { outageCapMinutes: before.outageCapMinutes },
      after: { outageCapMinutes },
    })
    return { outageCapMinutes }
  })
}
