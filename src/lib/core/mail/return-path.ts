import { timingSafeEqual } from 'node:crypto'
import { config } from '../config/config.ts'
import { keyedDigest } from '../encryption.ts'

const DIGEST_BYTES = 8
const TENANT_DIGITS = 12
const NO_TENANT = '0'.repeat(TENANT_DIGITS)
const HEX_DIGITS = 32 + TENANT_DIGITS + 2 * DIGEST_BYTES
// 30 bytes, five bits per character: with 14 characters before the plus sign an address has the maximum length of RFC
// 5321.
const TOKEN_LENGTH = (HEX_DIGITS * 4) / 5

/** The email of a return path, and the first digits of the id of its tenant; null for an email without a tenant. */
export interface ReturnedMail {
  mailId: string
  tenantPrefix: string | null
}

/**
 * The address to which delivery reports about an email are sent: `bounces+<id, tenant and digest>@example.org`
 * (variable envelope return path). Null without MAIL_RETURN_PATH. Encoded in base 32, because servers may change the
 * case.
 */
export function returnPathOf({ id, tenantId }: { id: string; tenantId: string | null }): string | null {
  if (!config.mailReturnPath) return null
  const [local, domain] = config.mailReturnPath.split('@')
  const tenant = tenantId?.replaceAll('-', '').slice(0, TENANT_DIGITS) ?? NO_TENANT
  const signed = `${id.replaceAll('-', '')}${tenant}`
  const token = BigInt(`0x${signed}${digestOf(signed)}`)
    .toString(32)
    .padStart(TOKEN_LENGTH, '0')
  return `${local}+${token}@${domain}`
}

/** The email to whose return path one of these addresses belongs; null when none was created by this installation. */
export function findReturnedMail(addresses: string): ReturnedMail | null {
  for (const [, token = ''] of addresses.matchAll(/\+([0-9a-v]{48})@/gi)) {
    const number = [...token].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)), 0n)
    const hex = number.toString(16).padStart(HEX_DIGITS, '0')
    const signed = hex.slice(0, 32 + TENANT_DIGITS)
    if (!timingSafeEqual(Buffer.from(digestOf(signed)), Buffer.from(hex.slice(32 + TENANT_DIGITS)))) continue
    const mailId = signed.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    const tenantPrefix = signed.slice(32)
    return { mailId, tenantPrefix: tenantPrefix === NO_TENANT ? null : tenantPrefix }
  }
  return null
}

/**
 * Whether the reply of a mail server means that the address does not exist or permanently accepts no email (RFC 3463:
 * 5.1.x, and
 * 5.2.1, a disabled mailbox), rather than that the content or the sender was refused. Without an extended code 550, 551
 * and 553 count (RFC 5321).
 */
export function isAddressFailure(reply: string): boolean {
  const [, extended] = /\b(5\.\d{1,3}\.\d{1,3})\b/.exec(reply) ?? []
  if (extended) return extended.startsWith('5.1.') || extended === '5.2.1'
  return /^(?:smtp;\s*)?(550|551|553)\b/.test(reply.trim())
}

const digestOf = (signed: string): string =>
  keyedDigest('mail return path', signed).subarray(0, DIGEST_BYTES).toString('hex')
