import { timingSafeEqual } from 'node:crypto'
import { config } from '../config/config.ts'
import { keyedDigest } from '../encryption.ts'

const DIGEST_BYTES = 8

/**
 * The address that reports about an email return to: `bounces+<id and digest>@example.org` (variable envelope return
 * path). Null without MAIL_RETURN_PATH. In hexadecimal digits, because servers may change the case.
 */
export function returnPathOf(mailId: string): string | null {
  if (!config.mailReturnPath) return null
  const [local, domain] = config.mailReturnPath.split('@')
  return `${local}+${mailId.replaceAll('-', '')}${digestOf(mailId)}@${domain}`
}

/** The id of the email to whose return path one of these addresses belongs; null when none was made by this installation. */
export function findReturnedMailId(addresses: string): string | null {
  for (const [, hex = '', digest = ''] of addresses.matchAll(/\+([0-9a-f]{32})([0-9a-f]{16})@/gi)) {
    const mailId = hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    if (timingSafeEqual(Buffer.from(digestOf(mailId)), Buffer.from(digest.toLowerCase()))) return mailId
  }
  return null
}

/**
 * Whether the reply of a mail server means that the address does not exist or takes no email for good (RFC 3463: 5.1.x, and
 * 5.2.1, a disabled mailbox), rather than that the content or the sender was refused. Without an extended code 550, 551 and
 * 553 count (RFC 5321).
 */
export function isAddressFailure(reply: string): boolean {
  const [, extended] = /\b(5\.\d{1,3}\.\d{1,3})\b/.exec(reply) ?? []
  if (extended) return extended.startsWith('5.1.') || extended === '5.2.1'
  return /^(?:smtp;\s*)?(550|551|553)\b/.test(reply.trim())
}

const digestOf = (mailId: string): string =>
  keyedDigest('mail return path', mailId).subarray(0, DIGEST_BYTES).toString('hex')
