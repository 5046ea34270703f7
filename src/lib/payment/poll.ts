import { asc, eq, lte } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { log, withoutQueryValues } from '#lib/core/log.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { processAnswer } from './callback.ts'
import { getPayment, type Payment, type PaymentPurposes, toProviderPayment } from './payment.ts'
import { ProviderUnavailable } from './provider.ts'
import { findAccount, getProvider } from './provider-accounts.ts'
import { failRefund } from './refund.ts'
import { payment } from './table.ts'

/** Number of payments of a tenant that one run polls. */
const POLLS_PER_RUN = 50
/** A bank keeps money on hold for nine days at most; afterwards the status cannot change any more. */
const LAST_POLL_DAYS = 10
/** LiqPay returns the money of a school that it has not activated after 90 days. */
const LAST_LONG_POLL_DAYS = 95
/** The buyer is charged, and LiqPay waits for the school or for a condition. */
const LONG_WAITS: readonly (string | null)[] = ['wait_accept', 'wait_card', 'wait_lc', 'wait_reserve']
const POLL_BACKOFF = { firstMs: 15 * MINUTE_MS, maxMs: 12 * HOUR_MS }

/** Polls the providers for payments whose callback has not arrived in time. Returns the number of polled payments. */
export function pollStuckPayments(purposes: PaymentPurposes, now = new Date()): Promise<number> {
  const job = { job: 'payment.pollStuck', dueSql: 'select 1 from payment where next_poll_at <= $1 limit 1', now }
  return forEachTenant(job, async (tenantId) => {
    const due = await inTenant({ tenantId }, (tx) =>
      tx
        .select()
        .from(payment)
        .where(lte(payment.nextPollAt, now))
        .orderBy(asc(payment.nextPollAt))
        .limit(POLLS_PER_RUN),
    )
    for (const row of due) {
      // A payment that cannot be applied does not keep the others waiting.
      await pollPayment(purposes, row, now).catch((error: unknown) =>
        log.error({ paymentId: row.id, err: withoutQueryValues(error) }, 'A payment could not be polled'),
      )
    }
    return due.length
  })
}

async function pollPayment(purposes: PaymentPurposes, row: Payment, now: Date): Promise<void> {
  // The next time is set first, so that a failing provider is not polled again immediately.
  const next = nextPollAt(row, now)
  await inTenant(row, (tx) =>
    tx
      .update(payment)
      .set({ nextPollAt: next, pollCount: row.pollCount + 1 })
      .where(eq(payment.id, row.id)),
  )
  await askProvider(purposes, row)
  if (!next && row.kind === 'refund') await failRefund(purposes[row.purpose], row)
}

async function askProvider(purposes: PaymentPurposes, row: Payment): Promise<void> {
  const provider = getProvider(row.provider)
  if (!provider.capabilities.poll) return
  const account = await inTenant(row, (tx) => findAccount(tx, row.provider, row.purpose))
  if (!account) return
  // At the provider a refund is part of the returned payment.
  const subject = row.kind === 'refund' && row.parentId ? await getPayment(row.tenantId, row.parentId) : row
  try {
    const requested = toProviderPayment(subject)
    const events = await provider.readStatus(account, requested)
    // An answer about another payment is not trusted: callbacks of that payment are verified with its own keys.
    await processAnswer(
      purposes,
      row,
      events.filter(({ reference }) => reference === requested.reference),
    )
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn({ provider: row.provider, paymentId: row.id }, 'The provider did not answer about a payment')
  }
}

function nextPollAt({ pollCount, createdAt, providerStatus }: Payment, now: Date): Date | null {
  const next = new Date(now.getTime() + backoffMs(pollCount + 1, POLL_BACKOFF))
  const lastDays = LONG_WAITS.includes(providerStatus) ? LAST_LONG_POLL_DAYS : LAST_POLL_DAYS
  return next.getTime() - createdAt.getTime() > lastDays * DAY_MS ? null : next
}
