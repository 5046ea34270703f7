import { createHash } from 'node:crypto'
import { inTenant } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { mailboxOf } from '#lib/core/shared/text/mailbox.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { getTenantPlans } from '../billing.ts'
import { isTrialSchool } from '../daily-emails.ts'

/**
 * Budgets per day of emails that contain text of a person whose address is not confirmed, whatever their cause costs.
 * `own`: to the typed address, with the name; `message`: to another person, with free text.
 */
const LIMITS = {
  own: { network: 500, address: 30, trial: 500, paid: 20_000 },
  message: { network: 20, address: 3, trial: 20, paid: 500 },
} as const

interface UnconfirmedEmail {
  kind: keyof typeof LIMITS
  /** The recipient. */
  to: string
  /** Address of the request. */
  address: string
}

/**
 * Counts an email with text of an unconfirmed person per recipient and network in all schools, and per school. Has to be
 * called outside a transaction, before the email is written. Refuses with too_many (`emails_exhausted`).
 */
export async function countUnconfirmedEmail(tenantId: string, { kind, to, address }: UnconfirmedEmail): Promise<void> {
  const limits = LIMITS[kind]
  const { plans } = await inTenant({ tenantId }, getTenantPlans)
  const counted = [
    [`network:${hashed(networkOf(address))}`, limits.network],
    [`address:${hashed(mailboxOf(to))}`, limits.address],
    [`school:${tenantId}`, isTrialSchool(plans) ? limits.trial : limits.paid],
  ] as const
  for (const [subject, limit] of counted) {
    const rule = { limit, windowSeconds: DAY_SECONDS }
    await countAttempt(`unconfirmed:${kind}:${subject}`, rule, { fields: { form: ['emails_exhausted'] } })
  }
}

// Digests, so that the table contains no email and no IP addresses.
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url')
