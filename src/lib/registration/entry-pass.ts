import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#lib/core/db/db.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import type { RegistrationState } from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { findByJoinKey } from './join-key.ts'
import { registration } from './table.ts'

/** A registration as the entrance of the room knows it; without `id` and `email` whoever enters is a guest of it. */
export interface EntryRegistration {
  id: string | null
  sessionId: string | null
  memberId: string | null
  name: string
  email: string | null
  locale: Locale
  timeZone: string
  state: RegistrationState
}

const EntryPass = z.object({
  workshopId: z.uuid(),
  registrationId: z.uuid(),
  /** The name that was typed in the form. */
  name: z.string(),
  /** This very form made the registration. */
  fresh: z.boolean(),
  until: z.number(),
})
type EntryPass = z.infer<typeof EntryPass>

const PURPOSE = 'registration pass'
const PASS_TTL_MS = 12 * HOUR_MS

/**
 * Lets whoever has just filled in the form enter at once. Somebody may type the address of another: then the pass lets
 * them in as a guest under the name that they typed, and it looks the same, so it does not tell who is registered.
 */
export function sealEntryPass(pass: Omit<EntryPass, 'until'>, now: Date): string {
  // Padded, since the length of a name must not tell either.
  const text = JSON.stringify({ ...pass, until: now.getTime() + PASS_TTL_MS })
  return encrypt(PURPOSE, text + ' '.repeat(Math.max(0, PADDED_BYTES - Buffer.byteLength(text))))
}

const PADDED_BYTES = 800

/** The registration that a personal link or a pass of this event stands for, or null. */
export async function findEntryByKeyOrPass(
  tx: Tx,
  workshopId: string,
  { key, pass }: { key?: string | null | undefined; pass?: string | null | undefined },
  now: Date,
): Promise<EntryRegistration | null> {
  const known = key ? await findByJoinKey(tx, workshopId, key) : null
  return known ?? (pass ? await findByEntryPass(tx, workshopId, pass, now) : null)
}

async function findByEntryPass(
  tx: Tx,
  workshopId: string,
  sealed: string,
  now: Date,
): Promise<EntryRegistration | null> {
  const text = decrypt(PURPOSE, sealed)
  const pass = text === null ? null : parseStored(EntryPass, JSON.parse(text))
  if (pass?.workshopId !== workshopId || pass.until < now.getTime()) return null
  const { id, sessionId, memberId, name, email, locale, timeZone, state } = registration
  const [found] = await tx
    .select({ id, sessionId, memberId, name, email, locale, timeZone, state })
    .from(registration)
    .where(and(eq(id, pass.registrationId), eq(registration.workshopId, workshopId)))
  if (found?.state !== 'confirmed') return null
  return pass.fresh ? found : { ...found, id: null, memberId: null, email: null, name: pass.name }
}

/** Ties a registration to another session of its event. */
export async function moveRegistration(tx: Tx, registrationId: string, sessionId: string): Promise<void> {
  await tx.update(registration).set({ sessionId }).where(eq(registration.id, registrationId))
}
