import { desc, eq } from 'drizzle-orm'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { certificateSigningKey } from '../table.ts'

/** Every verifier of Open Badges 3.0 supports it (section 8.2.3). */
export const BADGE_ALGORITHM = 'RS256'
const PURPOSE = 'certificate signing key'

export interface SigningKey {
  id: string
  privateKey: CryptoKey
}

/** The newest key of a tenant; the first use creates one. */
export async function getSigningKey(tenantId: string): Promise<SigningKey> {
  const row = (await findNewest(tenantId)) ?? (await createKey(tenantId))
  const json = decrypt(PURPOSE, row.privateKey)
  if (json === null)
    throw new Error('a signing key of certificates cannot be decrypted with the key of this installation')
  const privateKey = await importJWK(JSON.parse(json), BADGE_ALGORITHM)
  if (privateKey instanceof Uint8Array) throw new Error('a signing key of certificates is symmetric')
  return { id: row.id, privateKey }
}

type KeyRow = typeof certificateSigningKey.$inferSelect

async function findNewest(tenantId: string): Promise<KeyRow | undefined> {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx.select().from(certificateSigningKey).orderBy(desc(certificateSigningKey.id)).limit(1),
  )
  return row
}

async function createKey(tenantId: string): Promise<KeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(BADGE_ALGORITHM, { extractable: true })
  const row = {
    tenantId,
    id: newId(),
    publicJwk: { ...(await exportJWK(publicKey)) },
    privateKey: encrypt(PURPOSE, JSON.stringify(await exportJWK(privateKey))),
  }
  // Of two concurrent requests, the first one creates the key.
  await inTenant({ tenantId }, async (tx) => {
    await lockUntilCommit(tx, 'certificate key', tenantId)
    if ((await tx.$count(certificateSigningKey)) === 0) await tx.insert(certificateSigningKey).values(row)
  })
  const created = await findNewest(tenantId)
  if (!created) throw new Error('the signing key of certificates was not created')
  return created
}

/** A public key of a tenant as JWK. Keys stay published, so that older badges can be verified. Refuses with not_found. */
export async function readPublicKey(tenantId: string, keyId: string): Promise<JWK> {
  if (!UUID_PATTERN.test(keyId)) throw new Refusal('not_found')
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx.select().from(certificateSigningKey).where(eq(certificateSigningKey.id, keyId)),
  )
  if (!row) throw new Refusal('not_found')
  return publicJwk(row)
}

const publicJwk = (row: KeyRow): JWK => ({ ...(row.publicJwk as JWK), kid: row.id, alg: BADGE_ALGORITHM, use: 'sig' })
