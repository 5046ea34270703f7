import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeSetting } from '#lib/settings/change-setting.ts'
import type { InboxSettings } from './output-schema.ts'
import { requireInbox, requireInboxChange, requireInboxVerdict } from './permission.ts'
import { canChangeAnswerTime } from './rules.ts'
import { DEFAULT_ANSWER_HOURS, type UpdateInboxSettings } from './schema.ts'
import { inboxSetting } from './table.ts'

/** The promised time of an answer of the actor's school. Refuses with forbidden. */
export async function getInboxSettings(actor: Actor): Promise<InboxSettings> {
  requireInbox(actor)
  return inTenant(actor, loadInboxSettings)
}

/** Changes the promised time of an answer. The same again changes nothing. Refuses with forbidden, plan_inactive. */
export async function updateInboxSettings(actor: Actor, input: UpdateInboxSettings): Promise<InboxSettings> {
  requireInboxVerdict(canChangeAnswerTime(actor))
  requireInboxChange(actor)
  return changeSetting<InboxSettings>(actor, {
    input,
    loadValues: loadInboxSettings,
    storeValues: (tx, values) =>
      tx
        .insert(inboxSetting)
        .values({ tenantId: actor.tenantId, ...values })
        .onConflictDoUpdate({ target: inboxSetting.tenantId, set: values }),
  })
}

async function loadInboxSettings(tx: Tx): Promise<InboxSettings> {
  const [row] = await tx.select({ answerHours: inboxSetting.answerHours }).from(inboxSetting)
  return row ?? { answerHours: DEFAULT_ANSWER_HOURS }
}
