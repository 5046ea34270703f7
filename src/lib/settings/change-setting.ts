import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { definedFields } from '#lib/core/shared/merge.ts'

interface SettingChange<Values> {
  /** The values to change; others stay. */
  input: { [Key in keyof Values]?: Values[Key] | undefined }
  loadValues(tx: Tx): Promise<Values>
  /** Writes all values to the row of the module. */
  storeValues(tx: Tx, values: Values): PromiseLike<unknown>
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
    const after: Values = { ...before, ...definedFields(input) }
    if (JSON.stringify(before) === JSON.stringify(after)) return before
    await storeValues(tx, after)
    await recordAuditEntry(tx, actor, {
      action: 'settings.changed',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      before: { ...before },
      after: { ...after },
    })
    return after
  })
}
