import { createHash } from 'node:crypto'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { type ItemBudget, spendItemBudgets } from '#lib/core/http/budgets.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
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
  const { plans } = await inTenant({ tenantId }, getTenantPlans)
  for (const { key, limit } of budgetsOf(kind, { tenantId, plans, to, networkDigest: digestNetwork(address) })) {
    const rule = { limit, windowSeconds: DAY_SECONDS }
    await countAttempt(key, rule, { fields: { form: ['emails_exhausted'] } })
  }
}

interface FollowUpRecipient {
  email: string
  /** Network of the request that gave the address (`digestNetwork`); null when staff gave it. */
  networkDigest: string | null
}

/**
 * Spends the same budgets for later emails to addresses that are still unconfirmed, in the surrounding transaction. Returns
 * whether each email may be sent.
 */
export async function spendFollowUpEmails(
  tx: Tx,
  tenantId: string,
  recipients: readonly FollowUpRecipient[],
): Promise<boolean[]> {
  if (recipients.length === 0) return []
  const { plans } = await getTenantPlans(tx)
  const items = recipients.map(({ email: to, networkDigest }) =>
    budgetsOf('own', { tenantId, plans, to, networkDigest }),
  )
  return spendItemBudgets(tx, items, DAY_SECONDS)
}

/** Digest of the network of a request, under which its emails are counted. */
export const digestNetwork = (address: string): string => hashed(networkOf(address))

interface CountedEmail {
  tenantId: string
  plans: Actor['plans']
  to: string
  networkDigest: string | null
}

function budgetsOf(kind: keyof typeof LIMITS, { tenantId, plans, to, networkDigest }: CountedEmail): ItemBudget[] {
  const limits = LIMITS[kind]
  const budget = (subject: string, limit: number) => ({ key: `unconfirmed:${kind}:${subject}`, limit })
  return [
    ...(networkDigest === null ? [] : [budget(`network:${networkDigest}`, limits.network)]),
    budget(`address:${hashed(mailboxOf(to))}`, limits.address),
    budget(`school:${tenantId}`, isTrialSchool(plans) ? limits.trial : limits.paid),
  ]
}

// Digests, so that the table contains no email and no IP addresses.
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url')
