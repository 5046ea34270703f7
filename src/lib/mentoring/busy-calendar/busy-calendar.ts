import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { notifyOfFreedTimes } from '../booking/waitlist.ts'
import type { CalendarError, SaveBusyCalendar } from './schema.ts'
import { busyCalendar, busyTime } from './table.ts'

export interface BusyCalendarView {
  /** Host of the address; the rest is a secret. */
  host: string
  error: CalendarError | null
  /** Busy times that were found. */
  timeCount: number
  /** Events and properties of the calendar that could not be read. */
  skippedCount: number
  /** Null: it is being read for the first time. */
  readAt: Date | null
}

const PURPOSE = 'busy calendar'

const encryptAddress = (address: string): string => encrypt(PURPOSE, address)
/** The stored address; null when the key of the installation has changed. */
export const decryptAddress = (encrypted: string): string | null => decrypt(PURPOSE, encrypted)

/** Only team members are invited to events and sessions as hosts, presenters and mentors. */
function requireTeamMember({ accountType }: Actor): void {
  if (accountType === 'ACCOUNT_TYPE_STUDENT') throw new Refusal('forbidden')
}

/** The calendar of the actor; null without one. Refuses with forbidden for students. */
export async function getBusyCalendar(actor: Actor): Promise<BusyCalendarView | null> {
  requireTeamMember(actor)
  const { address, error, timeCount, skippedCount, readAt, memberId } = busyCalendar
  const [row] = await inTenant(actor, (tx) =>
    tx
      .select({ address, error, timeCount, skippedCount, readAt })
      .from(busyCalendar)
      .where(eq(memberId, actor.membershipId)),
  )
  if (!row) return null
  const known = decryptAddress(row.address)
  return { ...row, host: known && URL.canParse(known) ? new URL(known).host : '' }
}

/**
 * Sets the calendar whose events are busy times of the actor; a job reads it at once and later every half an hour. Until
 * then the times of the previous one stay, so that nobody books them meanwhile. The same address again reads it again.
 * Refuses with forbidden.
 */
export async function saveBusyCalendar(actor: Actor, { address }: SaveBusyCalendar, now = new Date()): Promise<void> {
  requireTeamMember(actor)
  const { tenantId, membershipId: memberId } = actor
  await inTenant(actor, async (tx) => {
    const [before] = await tx
      .select({ version: busyCalendar.version })
      .from(busyCalendar)
      .where(eq(busyCalendar.memberId, memberId))
      .for('update')
    const unread = { error: null, etag: null, timeCount: 0, skippedCount: 0, readAt: null, dueAt: now }
    const set = { address: encryptAddress(address), ...unread }
    await tx
      .insert(busyCalendar)
      .values({ tenantId, memberId, ...set })
      .onConflictDoUpdate({
        target: [busyCalendar.tenantId, busyCalendar.memberId],
        set: { ...set, version: (before?.version ?? 0) + 1 },
      })
    await enqueueJob('mentoring.readCalendar', { tenantId, memberId }, { singletonKey: memberId })
  })
}

/**
 * Removes the calendar of the actor with all its times; a second call changes nothing. Students on waitlists are notified
 * of the times that are free now. Refuses with forbidden.
 */
export async function removeBusyCalendar(actor: Actor, now = new Date()): Promise<void> {
  requireTeamMember(actor)
  const { membershipId: memberId } = actor
  await inTenant(actor, (tx) =>
    notifyOfFreedTimes(tx, memberId, now, async () => {
      await tx.delete(busyTime).where(eq(busyTime.memberId, memberId))
      await tx.delete(busyCalendar).where(eq(busyCalendar.memberId, memberId))
    }),
  )
}
