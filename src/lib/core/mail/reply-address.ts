import { config } from '../config/config.ts'
import { addToken, findTokenMail, type TokenMail } from './address-token.ts'

const PURPOSE = 'mail reply'

/** The address to which a reply to an email is sent: `replies+<token>@example.org`. Null without MAIL_REPLY_ADDRESS. */
export function replyAddressOf(email: { id: string; tenantId: string | null }): string | null {
  return config.mailReplyAddress ? addToken(config.mailReplyAddress, PURPOSE, email) : null
}

/** The email to whose reply address one of these addresses belongs; null when none was created by this installation. */
export const findRepliedMail = (addresses: string): TokenMail | null => findTokenMail(addresses, PURPOSE)
