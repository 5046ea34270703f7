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

/** The data of a registration for entering the room; without `id` and `email` the visitor enters as a guest. */
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
  /** The name from the form. */
  name: z.string(),
  /** The registration was created by this form. */
  fresh: z.boolean(),
  until: z.number(),
})
type EntryPass = z.infer<typeof EntryPass>

const PURPOSE = 'registration pass'
const PASS_TTL_MS = 12 * HOUR_MS

/**
 * Seals a pass that admits the visitor who has just submitted the form. For the address of another person it admits a
 * guest under the typed name, and looks the same, so that it does not disclose who is registered.
 */
export function sealEntryPass(pass: Omit<EntryPass, 'until'>, now: Date): string {
  // Padded, so that the length does not disclose the name.
  const text = JSON.stringify({ ...pass, until: now.getTime() + PASS_TTL_MS })
  return encrypt(PURPOSE, text + ' '.repeat(Math.max(0, PADDED_BYTES - Buffer.byteLength(text))))
}

const PADDED_BYTES = 800

/** Registration of a personal link or an entry pass for this event, or null. */
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
  const [row] = await tx
    .select({ id, sessionId, memberId, name, email, locale, timeZone, state })
    .from(registration)
    .where(and(eq(id, pass.registrationId), eq(registration.workshopId, workshopId)))
  if (row?.state !== 'confirmed') return null
  return pass.fresh ? row : { ...row, id: null, memberId: null, email: null, name: pass.name }
}

/** Moves a registration to another session of its event. */
export async function moveRegistration(tx: Tx, registrationId: string, sessionId: string): Promise<void> {
  await tx.update(registration).set({ sessionId }).where(eq(registration.id, registrationId))
}
