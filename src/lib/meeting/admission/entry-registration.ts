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

/** Finds the registration of a visitor: by personal link, by entry pass or by account. */
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

/** Whether the registration belongs to the signed-in actor. */
export const belongsToActor = (
  entryRegistration: Pick<EntryRegistration, 'memberId' | 'email'>,
  { membershipId, email }: Pick<Actor, 'membershipId' | 'email'>,
): boolean =>
  entryRegistration.memberId === membershipId || entryRegistration.email?.toLowerCase() === email.toLowerCase()

/** Session that the registration is for. An on-demand session starts now, unless another person opened the link. */
export async function enterRegisteredSession(
  tx: Tx,
  entryRegistration: EntryRegistration | null,
  { actor, staff }: { actor: Actor | null; staff: RoomRole | null },
  now: Date,
): Promise<string | null> {
  if (!entryRegistration?.sessionId || !entryRegistration.id || entryRegistration.state !== 'confirmed')
    return entryRegistration?.sessionId ?? null
  if (staff || (actor && !belongsToActor(entryRegistration, actor))) return entryRegistration.sessionId
  const sessionId = await enterOnDemandSession(tx, entryRegistration.sessionId, now)
  if (sessionId !== entryRegistration.sessionId) await moveRegistration(tx, entryRegistration.id, sessionId)
  return sessionId
}

// By account, or by the email address given as a guest.
async function findAccountRegistration(
  tx: Tx,
  workshopId: string,
  { membershipId, email }: Actor,
): Promise<EntryRegistration | null> {
  const { id, sessionId, memberId, name, locale, timeZone, state } = registration
  const [entryRegistration] = await tx
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
  return entryRegistration ?? null
}
