import { timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '../encryption.ts'

const DIGEST_BYTES = 8
const TENANT_DIGITS = 12
const NO_TENANT = '0'.repeat(TENANT_DIGITS)
const HEX_DIGITS = 32 + TENANT_DIGITS + 2 * DIGEST_BYTES
// 30 bytes, five bits per character: with 14 characters before the plus sign an address has the maximum length of RFC
// 5321.
const TOKEN_LENGTH = (HEX_DIGITS * 4) / 5

/** What the digest of a token is for: a token of one kind of address is not valid in another. */
type TokenPurpose = 'mail return path' | 'mail reply'

/** The email of a token, and the first digits of the id of its tenant; null for an email without a tenant. */
export interface TokenMail {
  mailId: string
  tenantPrefix: string | null
}

/**
 * An address with a signed token that names an email: `replies+<id, tenant and digest>@example.org`. Encoded in base 32,
 * because servers may change the case.
 */
export function addToken(
  address: string,
  purpose: TokenPurpose,
  { id, tenantId }: { id: string; tenantId: string | null },
): string {
  const [local, domain] = address.split('@')
  const tenant = tenantId?.replaceAll('-', '').slice(0, TENANT_DIGITS) ?? NO_TENANT
  const signed = `${id.replaceAll('-', '')}${tenant}`
  const token = BigInt(`0x${signed}${digestOf(purpose, signed)}`)
    .toString(32)
    .padStart(TOKEN_LENGTH, '0')
  return `${local}+${token}@${domain}`
}

/** The email that a token of one of these addresses names; null when this installation created none of them. */
export function findTokenMail(addresses: string, purpose: TokenPurpose): TokenMail | null {
  for (const [, token = ''] of addresses.matchAll(/\+([0-9a-v]{48})@/gi)) {
    const number = [...token].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)), 0n)
    const hex = number.toString(16).padStart(HEX_DIGITS, '0')
    const signed = hex.slice(0, 32 + TENANT_DIGITS)
    if (!timingSafeEqual(Buffer.from(digestOf(purpose, signed)), Buffer.from(hex.slice(32 + TENANT_DIGITS)))) continue
    const mailId = signed.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    const tenantPrefix = signed.slice(32)
    return { mailId, tenantPrefix: tenantPrefix === NO_TENANT ? null : tenantPrefix }
  }
  return null
}

const digestOf = (purpose: TokenPurpose, signed: string): string =>
  keyedDigest(purpose, signed).subarray(0, DIGEST_BYTES).toString('hex')
