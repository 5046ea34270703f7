import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { LIMITS, type Limit, limitOf, PLAN_OFFERS } from './plans.ts'

/** Counts what a tenant has of a limited object, in a transaction of that tenant; `disc` in gigabytes. */
export type CountUsage = (tx: Tx, tenantId: string) => Promise<number>

/** The counters of the limits, by the modules that own the objects. A limit without one is not used yet. */
export type UsageCounters = Readonly<Partial<Record<Limit, CountUsage>>>

export interface LimitUsage {
  limit: Limit
  used: number
  /** Null: unlimited. */
  max: number | null
}

/** How much of each limit of its plans the transaction's tenant uses. */
export function listUsage(
  tx: Tx,
  { tenantId, ...school }: Pick<Actor, 'tenantId' | 'plans' | 'addOns'>,
  counters: UsageCounters,
  now: Date,
): Promise<LimitUsage[]> {
  const current = school.plans.filter(({ state }) => state === 'current')
  const counted = LIMITS.flatMap((limit) => {
    const count = counters[limit]
    return count && current.some(({ group, plan }) => limit in PLAN_OFFERS[group][plan]) ? [{ limit, count }] : []
  })
  return Promise.all(
    counted.map(async ({ limit, count }) => ({
      limit,
      used: await count(tx, tenantId),
      max: limitOf(school, limit, now),
    })),
  )
}
