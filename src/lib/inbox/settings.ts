import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { InboxSettings } from './output-schema.ts'
import { requireInbox, requireInboxChange, requireInboxVerdict } from './permission.ts'
import { canChangeAnswerTime } from './rules.ts'
import { DEFAULT_ANSWER_HOURS, type UpdateInboxSettings } from './schema.ts'
import { inboxSetting } from './table.ts'

/** The promised time of an answer of the actor's school. Refuses with forbidden. */
export async function getInboxSettings(actor: Actor): Promise<InboxSettings> {
  requireInbox(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await tx.select({ answerHours: inboxSetting.answerHours }).from(inboxSetting)
    return row ?? { answerHours: DEFAULT_ANSWER_HOURS }
  })
}

/** Changes the promised time of an answer. The same again changes nothing. Refuses with forbidden, plan_inactive. */
export async function updateInboxSettings(actor: Actor, input: UpdateInboxSettings): Promise<InboxSettings> {
  requireInboxVerdict(canChangeAnswerTime(actor))
  requireInboxChange(actor)
  const { tenantId } = actor
  return inTenant(actor, async (tx) => {
    const before = await getInboxSettings(actor)
    if (before.answerHours === input.answerHours) return before
    await tx
      .insert(inboxSetting)
      .values({ tenantId, ...input })
      .onConflictDoUpdate({ target: inboxSetting.tenantId, set: input })
    await recordAuditEntry(tx, actor, {
      action: 'settings.changed',
      objectId: tenantId,
      objectName: actor.tenantName,
      before: { ...before },
      after: { ...input },
    })
    return input
  })
}
