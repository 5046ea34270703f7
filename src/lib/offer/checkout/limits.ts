import { createHash } from 'node:crypto'
import { countUnconfirmedEmail } from '#lib/billing/unconfirmed-emails/unconfirmed-emails.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { countGuess } from '#lib/core/http/secret-guess.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { mailboxOf } from '#lib/core/shared/text/mailbox.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'

// A class may buy from one network; guessing codes and filling up seats is limited.
const NETWORK_LIMIT = { limit: 60, windowSeconds: 600 }
const MAILBOX_LIMIT = { limit: 10, windowSeconds: HOUR_SECONDS }
// Links with a code are opened by many people of one network.
const COUPON_LIMIT = { limit: 300, windowSeconds: 600 }

/**
 * Counts an order per network, per email address unless the sign-in verifies it, and its emails with text of the buyer
 * per school, recipient and network, also when the order is paid. Refuses with too_many.
 */
export async function throttleOrders(
  { tenantId, address }: { tenantId: string; address: string },
  { email, giftEmail }: { email: string; giftEmail: string | undefined },
  isVerified: boolean,
): Promise<void> {
  await countAttempt(`order:${limitSubject(networkOf(address))}`, NETWORK_LIMIT)
  if (!isVerified) {
    await countAttempt(`order-mailbox:${limitSubject(mailboxOf(email))}`, MAILBOX_LIMIT)
    await countUnconfirmedEmail(tenantId, { kind: 'own', to: email, address })
  }
  if (giftEmail) await countUnconfirmedEmail(tenantId, { kind: 'message', to: giftEmail, address })
}

// Different wrong codes; then one after 1, 2, 4, 8 and 15 minutes.
const WRONG_COUPON_LIMIT = { limit: 20, windowSeconds: HOUR_SECONDS, maxWaitSeconds: 900 }

/**
 * Counts a promo code per network of the buyer before it is looked up. Returns a function that takes the count back when
 * the code exists. Refuses with too_many.
 */
export const countCouponGuess = (tenantId: string, address: string, code: string): Promise<() => Promise<void>> =>
  countGuess(`coupon-guess:${limitSubject(networkOf(address))}`, `${tenantId} ${code}`, WRONG_COUPON_LIMIT)

/** Counts a promo code, typed or from a link, per network. Refuses with too_many. */
export const throttleCoupons = (address: string): Promise<void> =>
  countAttempt(`coupon:${limitSubject(networkOf(address))}`, COUPON_LIMIT)

/** Counts a payment that a buyer starts or continues per network. Refuses with too_many. */
export const throttlePayments = (address: string): Promise<void> =>
  countAttempt(`order-payment:${limitSubject(networkOf(address))}`, NETWORK_LIMIT)

const limitSubject = (text: string): string => createHash('sha256').update(text).digest('base64url')
