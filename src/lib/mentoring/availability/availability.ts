import { and, eq } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { stableJson } from '#lib/core/shared/merge.ts'
import { notifyOfFreedTimes } from '../booking/waitlist.ts'
import { requireProgramReader } from '../program/permission.ts'
import { type AvailabilitySettings, type DayRange, EMPTY_WEEK, type SaveAvailability } from './schema.ts'
import { mentorAvailability } from './table.ts'

/** The hours of the actor; before they are saved, no hours in the actor's zone and the version 0. Refuses with forbidden. */
export function getAvailability(actor: Actor): Promise<AvailabilitySettings & { version: number }> {
  requireProgramReader(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({
        timeZone: mentorAvailability.timeZone,
        weekly: mentorAvailability.weekly,
        overrides: mentorAvailability.overrides,
        travels: mentorAvailability.travels,
        version: mentorAvailability.version,
      })
      .from(mentorAvailability)
      .where(eq(mentorAvailability.memberId, actor.membershipId))
    const weekly = EMPTY_WEEK.map((ranges) => [...ranges])
    return row ?? { timeZone: actor.timeZone, weekly, overrides: [], travels: [], version: 0 }
  })
}

/**
 * Saves the hours of the actor based on `version`; the same hours sent again succeed. Booked sessions keep their time.
 * Students on waitlists are notified of times that could not be booked before.
 * Refuses with forbidden, plan_inactive, conflict with the newer version in `data`.
 */
export function saveAvailability(
  actor: Actor,
  input: SaveAvailability,
  now = new Date(),
): Promise<{ version: number }> {
  requireProgramReader(actor)
  requirePlan(actor, 'lms')
  const { version, ...settings } = input
  const values = {
    timeZone: settings.timeZone,
    weekly: settings.weekly.map(joinRanges),
    overrides: settings.overrides
      .map(({ date, ranges }) => ({ date, ranges: joinRanges(ranges) }))
      .toSorted((a, b) => a.date.localeCompare(b.date)),
    travels: settings.travels.toSorted((a, b) => a.from.localeCompare(b.from)),
  }
  return inTenant(actor, (tx) =>
    notifyOfFreedTimes(tx, actor.membershipId, now, () => writeAvailability(tx, actor, values, version)),
  )
}

async function writeAvailability(
  tx: Tx,
  actor: Actor,
  values: AvailabilitySettings,
  version: number,
): Promise<{ version: number }> {
  const { tenantId, membershipId: memberId } = actor
  if (version === 0) {
    const [added] = await tx
      .insert(mentorAvailability)
      .values({ tenantId, memberId, ...values })
      .onConflictDoNothing()
      .returning({ version: mentorAvailability.version })
    if (added) return added
  }
  const [saved] = await tx
    .update(mentorAvailability)
    .set({ ...values, version: version + 1, updatedAt: new Date() })
    .where(and(eq(mentorAvailability.memberId, memberId), eq(mentorAvailability.version, version)))
    .returning({ version: mentorAvailability.version })
  if (saved) return saved
  const { version: newer, ...stored } = await getAvailability(actor)
  if (stableJson(stored) === stableJson(values)) return { version: newer }
  throw new Refusal('conflict', { data: { version: newer } })
}

/** Sorted ranges that neither overlap nor touch. */
function joinRanges(ranges: readonly DayRange[]): DayRange[] {
  const joined: DayRange[] = []
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return joined
}
