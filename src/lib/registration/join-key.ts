import { createHash, randomBytes } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
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

/** Registration of a personal link to this event; null if unknown, canceled or declined. */
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
  return row ?? null
}

/** Digest of a key as it is stored. */
export const digestKey = (key: string): string => createHash('sha256').update(key).digest('base64url')
