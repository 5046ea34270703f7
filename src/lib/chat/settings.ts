import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeSetting } from '#lib/settings/change-setting.ts'
import type { SchoolChatSettings } from './output-schema.ts'
import { requireChatPlan, requireChatVerdict } from './relation.ts'
import { canManageChat } from './rules.ts'
import type { UpdateChatSettings } from './schema.ts'
import { chatSetting } from './table.ts'

const DEFAULTS: SchoolChatSettings = { contactPolicy: 'assigned', retentionDays: null }

/** The settings of the chat of the actor's school. Refuses with forbidden. */
export async function getChatSettings(actor: Actor): Promise<SchoolChatSettings> {
  requireChatVerdict(canManageChat(actor))
  return inTenant(actor, loadChatSettings)
}

/**
 * Changes the settings of the chat that the input contains. The same again changes nothing. Refuses with forbidden,
 * plan_inactive.
 */
export async function updateChatSettings(actor: Actor, input: UpdateChatSettings): Promise<SchoolChatSettings> {
  requireChatVerdict(canManageChat(actor))
  requireChatPlan(actor)
  return changeSetting<SchoolChatSettings>(actor, {
    input,
    loadValues: loadChatSettings,
    storeValues: (tx, values) =>
      tx
        .insert(chatSetting)
        .values({ tenantId: actor.tenantId, ...values })
        .onConflictDoUpdate({ target: chatSetting.tenantId, set: values }),
  })
}

async function loadChatSettings(tx: Tx): Promise<SchoolChatSettings> {
  const { contactPolicy, retentionDays } = chatSetting
  const [row] = await tx.select({ contactPolicy, retentionDays }).from(chatSetting)
  return row ?? DEFAULTS
}
