import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canChangeWorkingHours } from '../rules.ts'
import { workingHours } from '../table.ts'
import type { WorkingHours } from './schema.ts'

/** The working hours of a school that has not set any. */
const DEFAULT_WORKING_HOURS: WorkingHours = { from: '08:00', to: '21:00' }

/** The working hours of the school, which every member of the team may know. */
export const getWorkingHours = (actor: Actor): Promise<WorkingHours> => inTenant(actor, loadWorkingHours)

/** The same inside a transaction of the tenant. */
export async function loadWorkingHours(tx: Tx): Promise<WorkingHours> {
  const { fromMinute, toMinute } = workingHours
  const [row] = await tx.select({ fromMinute, toMinute }).from(workingHours)
  return row ? { from: timeOfMinute(row.fromMinute), to: timeOfMinute(row.toMinute) } : DEFAULT_WORKING_HOURS
}

/**
 * Sets the working hours of the school; the audit log records the author. The same hours change nothing. No plan is
 * needed, as for other settings of the school. Refuses with forbidden.
 */
export async function saveWorkingHours(actor: Actor, input: WorkingHours): Promise<WorkingHours> {
  if (!canChangeWorkingHours(actor)) throw new Refusal('forbidden')
  return inTenant(actor, async (tx) => {
    const before = await loadWorkingHours(tx)
    if (before.from === input.from && before.to === input.to) return input
    const minutes = { fromMinute: minuteOfTime(input.from), toMinute: minuteOfTime(input.to) }
    await tx
      .insert(workingHours)
      .values({ tenantId: actor.tenantId, ...minutes })
      .onConflictDoUpdate({ target: workingHours.tenantId, set: minutes })
    const textOf = ({ from, to }: WorkingHours) => `${from}–${to}`
    await recordAuditEntry(tx, actor, {
      action: 'settings.changed',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      before: { workingHours: textOf(before) },
      after: { workingHours: textOf(input) },
    })
    return input
  })
}

const timeOfMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const minuteOfTime = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
