import { and, eq, inArray, or } from 'drizzle-orm'
import { enterOnDemandSession } from '#lib/autowebinar/auto-session.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { type EntryRegistration, findEntryByKeyOrPass, moveRegistration } from '#lib/registration/entry-pass.ts'
import { registration } from '#lib/registration/table.ts'

interface EntryCredentials {
  key?: string | null
  pass?: string | null
  actor: Actor | null
}

/** The registration of whoever enters: by their personal link, by the pass of the form, or by their account. */
export async function findEntryRegistration(
  tx: Tx,
  workshopId: string,
  { key, pass, actor }: EntryCredentials,
  now: Date,
): Promise<EntryRegistration | null> {
  return (
    (await findEntryByKeyOrPass(tx, workshopId, { key, pass }, now)) ??
    (actor ? await findAccountRegistration(tx, workshopId, actor) : null)
  )
}

/** Whether a registration is that of somebody who is signed in. */
export const belongsToActor = (
  found: Pick<EntryRegistration, 'memberId' | 'email'>,
  { membershipId, email }: Pick<Actor, 'membershipId' | 'email'>,
): boolean => found.memberId === membershipId || found.email?.toLowerCase() === email.toLowerCase()

/** The showing that a registration is for; one on demand begins now, unless somebody else looks in by its link. */
export async function enterRegisteredSession(
  tx: Tx,
  found: EntryRegistration | null,
  { actor, staff }: { actor: Actor | null; staff: RoomRole | null },
  now: Date,
): Promise<string | null> {
  if (!found?.sessionId || !found.id || found.state !== 'confirmed') return found?.sessionId ?? null
  if (staff || (actor && !belongsToActor(found, actor))) return found.sessionId
  const sessionId = await enterOnDemandSession(tx, found.sessionId, now)
  if (sessionId !== found.sessionId) await moveRegistration(tx, found.id, sessionId)
  return sessionId
}

// By account, or by the address they gave as a guest.
async function findAccountRegistration(
  tx: Tx,
  workshopId: string,
  { membershipId, email }: Actor,
): Promise<EntryRegistration | null> {
  const { id, sessionId, memberId, name, locale, timeZone, state } = registration
  const [found] = await tx
    .select({ id, sessionId, memberId, name, email: registration.email, locale, timeZone, state })
    .from(registration)
    .where(
      and(
        eq(registration.workshopId, workshopId),
        or(eq(memberId, membershipId), eq(registration.email, email)),
        inArray(state, ['confirmed', 'pending', 'waitlisted']),
      ),
    )
    .orderBy(registration.createdAt)
  return found ?? null
}
