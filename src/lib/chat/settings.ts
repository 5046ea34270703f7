import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ContactSettings } from './output-schema.ts'
import { requireChatPlan, requireChatVerdict } from './relation.ts'
import { canManageChat } from './rules.ts'
import type { UpdateChatSettings } from './schema.ts'
import { chatSetting } from './table.ts'

const DEFAULTS: ContactSettings = { contactPolicy: 'assigned' }

/** The settings of the chat of the actor's school. Refuses with forbidden. */
export async function getChatSettings(actor: Actor): Promise<ContactSettings> {
  requireChatVerdict(canManageChat(actor))
  return inTenant(actor, async (tx) => {
    const [row] = await tx.select({ contactPolicy: chatSetting.contactPolicy }).from(chatSetting)
    return row ?? DEFAULTS
  })
}

/** Changes the settings of the chat. The same again changes nothing. Refuses with forbidden, plan_inactive. */
export async function updateChatSettings(actor: Actor, input: UpdateChatSettings): Promise<ContactSettings> {
  requireChatVerdict(canManageChat(actor))
  requireChatPlan(actor)
  const { tenantId } = actor
  return inTenant(actor, async (tx) => {
    const before = await getChatSettings(actor)
    if (before.contactPolicy === input.contactPolicy) return before
    await tx
      .insert(chatSetting)
      .values({ tenantId, ...input })
      .onConflictDoUpdate({ target: chatSetting.tenantId, set: input })
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
