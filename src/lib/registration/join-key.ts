import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { registration } from './table.ts'

const PURPOSE = 'registration link'

/** Creates the key of a personal link, and what the table stores of it. */
export function createJoinKey(): { key: string; joinDigest: string; joinSealed: string } {
  const key = randomBytes(18).toString('base64url')
  return { key, joinDigest: digestKey(key), joinSealed: encrypt(PURPOSE, key) }
}

/** Key of a registration, for its link in an email. */
export function unsealJoinKey({ joinSealed }: { joinSealed: string }): string {
  return decrypt(PURPOSE, joinSealed) ?? ''
}

/**
 * Records that the owner of the address uses the personal link, which only emails to the address and signed-in owners have.
 * Later emails are no longer counted as emails to an unconfirmed address.
 */
export async function confirmAddress(tx: Tx, row: { id: string; addressConfirmedAt: Date | null }, now = new Date()) {
  if (row.addressConfirmedAt !== null) return
  const unconfirmed = and(eq(registration.id, row.id), isNull(registration.addressConfirmedAt))
  await tx.update(registration).set({ addressConfirmedAt: now }).where(unconfirmed)
}

/** Registration of a personal link to this event; null if unknown, canceled or declined. Confirms its address. */
export async function findByJoinKey(tx: Tx, workshopId: string, key: string) {
  const [row] = await tx
    .select({
      id: registration.id,
      sessionId: registration.sessionId,
      memberId: registration.memberId,
      name: registration.name,
      email: registration.email,
      locale: registration.locale,
      timeZone: registration.timeZone,
      state: registration.state,
      addressConfirmedAt: registration.addressConfirmedAt,
    })
    .from(registration)
    .where(
      and(
        eq(registration.workshopId, workshopId),
        eq(registration.joinDigest, digestKey(key)),
        ne(registration.state, 'canceled'),
        ne(registration.state, 'declined'),
      ),
    )
  if (!row) return null
  const { addressConfirmedAt, ...found } = row
  await confirmAddress(tx, { id: row.id, addressConfirmedAt })
  return found
}

/** Digest of a key as it is stored. */
export const digestKey = (key: string): string => createHash('sha256').update(key).digest('base64url')
