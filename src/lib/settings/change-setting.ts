import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

interface SettingChange<Values> {
  input: Values
  loadValues(tx: Tx): Promise<Values>
  /** Writes the row of the module. */
  storeValues(tx: Tx): PromiseLike<unknown>
}

/**
 * Changes settings of the school that a module stores in a separate table, with an audit entry. The same values again change
 * nothing. The permission is checked before.
 */
export function changeSetting<Values extends AuditValues & object>(
  actor: Actor,
  { input, loadValues, storeValues }: SettingChange<Values>,
): Promise<Values> {
  return inTenant(actor, async (tx) => {
    const before = await loadValues(tx)
    if (JSON.stringify(before) === JSON.stringify(input)) return before
    await storeValues(tx)
    await recordAuditEntry(tx, actor, {
      action: 'settings.changed',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      before: { ...before },
      after: { ...input },
    })
    return input
  })
}
