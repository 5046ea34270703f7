import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'
import { loadGroup, storeGroup } from './group-plan.ts'

const DUE = `select 1 from subscription current join subscription pending
  on pending.tenant_id = current.tenant_id and pending."group" = current."group" and pending.state = 'pending'
  where current.state = 'current' and current.next_payment <= $1 limit 1`

/** Puts the pending plans into effect whose present period has ended. Returns how many. */
export function switchPlans(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'billing.switchPlans', dueSql: DUE, now }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      let switched = 0
      for (const group of PLAN_GROUPS) {
        const { present, next } = await loadGroup(tx, tenantId, group, { lock: true })
        if (!next || !present?.until || present.until > now) continue
        await storeGroup(tx, tenantId, group, { ...next, until: next.paidUntil ?? present.until })
        switched += 1
      }
      return switched
    }),
  )
}
