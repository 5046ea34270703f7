import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeSetting } from '#lib/settings/change-setting.ts'
import type { ContactSettings } from './output-schema.ts'
import { requireChatPlan, requireChatVerdict } from './relation.ts'
import { canManageChat } from './rules.ts'
import type { UpdateChatSettings } from './schema.ts'
import { chatSetting } from './table.ts'

const DEFAULTS: ContactSettings = { contactPolicy: 'assigned' }

/** The settings of the chat of the actor's school. Refuses with forbidden. */
export async function getChatSettings(actor: Actor): Promise<ContactSettings> {
  requireChatVerdict(canManageChat(actor))
  return inTenant(actor, loadChatSettings)
}

/** Changes the settings of the chat. The same again changes nothing. Refuses with forbidden, plan_inactive. */
export async function updateChatSettings(actor: Actor, input: UpdateChatSettings): Promise<ContactSettings> {
  requireChatVerdict(canManageChat(actor))
  requireChatPlan(actor)
  return changeSetting<ContactSettings>(actor, {
    input,
    loadValues: loadChatSettings,
    storeValues: (tx) =>
      tx
        .insert(chatSetting)
        .values({ tenantId: actor.tenantId, ...input })
        .onConflictDoUpdate({ target: chatSetting.tenantId, set: input }),
  })
}

async function loadChatSettings(tx: Tx): Promise<ContactSettings> {
  const [row] = await tx.select({ contactPolicy: chatSetting.contactPolicy }).from(chatSetting)
  return row ?? DEFAULTS
}
