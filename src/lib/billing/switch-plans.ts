import { inTenant } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'
import { loadGroup, storeGroup } from './group-plan.ts'

const DUE = `select 1 from subscription current join subscription pending
  on pending.tenant_id = current.tenant_id and pending."group" = current."group" and pending.state = 'pending'
  where current.state = 'current' and current.next_payment <= $1 limit 1`

/** Puts the pending plans into effect whose present period has ended. Returns how many. */
export function switchPlans(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'billing.switchPlans', dueSql: DUE, now }, (tenantId) => {
    const task = { job: 'billing.switchPlans', tenantId, items: PLAN_GROUPS, idOf: (group: string) => group }
    return forEachItem(task, (group) =>
      inTenant({ tenantId }, async (tx) => {
        const { present, next } = await loadGroup(tx, tenantId, group, { lock: true })
        if (!next || !present?.until || present.until > now) return 0
        await storeGroup(tx, tenantId, group, { ...next, until: next.paidUntil ?? present.until })
        return 1
      }),
    )
  })
}
