import { config } from '../config/config.ts'
import { addToken, findTokenMail, type TokenMail } from './address-token.ts'

const PURPOSE = 'mail return path'

/**
 * The address to which delivery reports about an email are sent: `bounces+<token>@example.org` (variable envelope return
 * path). Null without MAIL_RETURN_PATH.
 */
export function returnPathOf(email: { id: string; tenantId: string | null }): string | null {
  return config.mailReturnPath ? addToken(config.mailReturnPath, PURPOSE, email) : null
}

/** The email to whose return path one of these addresses belongs; null when none was created by this installation. */
export const findReturnedMail = (addresses: string): TokenMail | null => findTokenMail(addresses, PURPOSE)

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
