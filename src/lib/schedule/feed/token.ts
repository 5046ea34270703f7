import { createHash, randomBytes } from 'node:crypto'

const TENANT_BYTES = 16
const SECRET_BYTES = 24
const PATTERN = /^[A-Za-z0-9_-]{54}$/

/** A token of a calendar feed: the tenant and a secret. Only its digest is stored. */
export function createFeedToken(tenantId: string): string {
  const tenant = Buffer.from(tenantId.replaceAll('-', ''), 'hex')
  return Buffer.concat([tenant, randomBytes(SECRET_BYTES)]).toString('base64url')
}

/** The tenant of a token and the digest by which its feed is found; null for any other text. */
export function parseFeedToken(token: string): { tenantId: string; digest: Buffer } | null {
  if (!PATTERN.test(token)) return null
  const hex = Buffer.from(token, 'base64url').subarray(0, TENANT_BYTES).toString('hex')
  const tenantId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { tenantId, digest: digestFeedToken(token) }
}

export const digestFeedToken = (token: string): Buffer => createHash('sha256').update(token).digest()
