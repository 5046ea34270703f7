import { and, eq } from 'drizzle-orm'
import { inTenant, writeWithCommit } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { spendBudget } from '#lib/core/http/throttle.ts'
import { log, withoutQueryValues } from '#lib/core/log.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { applyPaymentEvent, type EventResult } from './apply-event.ts'
import { lockPayment, type Payment, type PaymentPurposes } from './payment.ts'
import {
  type CallbackAnswer,
  CallbackFormatError,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type RawCallback,
} from './provider.ts'
import { findAccount, findInstallationAccount, getProvider, SANDBOX_ACCOUNT } from './provider-accounts.ts'
import { parseReference } from './reference.ts'
import { type CallbackProblem, type EventSource, PROVIDERS, type ProviderName } from './schema.ts'
import { paymentCallback } from './table.ts'

/** The account in the address of a callback: a tenant's id, or this word for the installation. */
export const INSTALLATION = 'installation'

const MAX_BODY_CHARS = 65_536
/** Rejected callbacks that are stored for a tenant: anyone can send them. */
const STORED_REJECTIONS = { limit: 200, windowSeconds: DAY_SECONDS, allowsPartial: true }

export interface IncomingCallback {
  /** As in the address. */
  provider: string
  account: string
  body: string
  headers: Headers
}

/**
 * Processes a callback of a provider: verifies the signature with the keys of the account, then applies the report in
 * the transaction that stores it. Repeated, late and unknown reports change nothing and get the same response as
 * others, so that the provider does not repeat them. Refuses with not_found (no such account), too_large, and
 * unauthorized (signature).
 */
export async function handleCallback(purposes: PaymentPurposes, incoming: IncomingCallback): Promise<CallbackAnswer> {
  const { provider, account, tenantId } = await findReceiver(incoming)
  if (incoming.body.length > MAX_BODY_CHARS || incoming.body.includes('\0')) throw new Refusal('too_large')
  const callback: RawCallback = { body: incoming.body, headers: storedHeaders(provider, incoming.headers) }
  if (!(await provider.verifyCallback(account, callback))) {
    if (tenantId) await storeRejection(tenantId, provider.name, callback, 'signature')
    throw new Refusal('unauthorized')
  }
  for (const event of await parseEvents(provider, callback, tenantId))
    await processEvent(purposes, provider.name, event, { callback, source: 'callback', onlyTenantId: tenantId })
  return provider.answerCallback(account, callback)
}

/** Processes a stored callback with a valid signature again. Refuses with not_found. */
export async function replayCallback(
  purposes: PaymentPurposes,
  { tenantId, callbackId }: { tenantId: string; callbackId: string },
): Promise<void> {
  const [stored] = await inTenant({ tenantId }, (tx) =>
    tx
      .select()
      .from(paymentCallback)
      .where(and(eq(paymentCallback.id, callbackId), eq(paymentCallback.signatureOk, true))),
  )
  // The report of an erased person is empty.
  if (stored?.source !== 'callback' || stored.body === '') throw new Refusal('not_found')
  const { provider, body, headers } = stored
  for (const event of getProvider(provider).parseCallback({ body, headers }))
    await processEvent(purposes, provider, event, {
      callback: { body, headers },
      source: 'callback',
      onlyTenantId: tenantId,
    })
}

interface Origin {
  callback: RawCallback
  source: EventSource
  /** The tenant whose keys signed it; null for the installation's, which sign for all. */
  onlyTenantId: string | null
}

const NOT_A_CALLBACK: RawCallback = { body: '', headers: {} }

/** Applies the response of a provider to a request, e.g. for the status. */
export async function processAnswer(
  purposes: PaymentPurposes,
  row: Pick<Payment, 'tenantId' | 'provider'>,
  events: readonly ProviderEvent[],
): Promise<void> {
  for (const event of events)
    await processEvent(purposes, row.provider, event, {
      callback: NOT_A_CALLBACK,
      source: 'poll',
      onlyTenantId: row.tenantId,
    })
}

async function processEvent(
  purposes: PaymentPurposes,
  provider: ProviderName,
  event: ProviderEvent,
  origin: Origin,
): Promise<void> {
  const named = parseReference(event.reference)
  const tenantId = named?.tenantId ?? origin.onlyTenantId
  if (!tenantId) return
  if (!named || (origin.onlyTenantId !== null && named.tenantId !== origin.onlyTenantId)) {
    if (origin.onlyTenantId)
      await storeRejection(origin.onlyTenantId, provider, origin.callback, 'unknown_payment', true)
    return
  }
  const stored = {
    tenantId,
    provider,
    source: origin.source,
    ...origin.callback,
    signatureOk: true,
    // A refund that has succeeded is no success of the payment.
    status: event.kind === 'refund' ? ('recurrent refund' as const) : event.status,
    providerStatus: event.providerStatus?.slice(0, 60) ?? null,
  }
  try {
    await inTenant({ tenantId }, async (tx) => {
      const row = await lockPayment(tx, named.id)
      const problem = problemOf(row, provider, origin)
      const result: EventResult =
        row && !problem
          ? await applyPaymentEvent(tx, purposes[row.purpose], row, event)
          : { outcome: 'rejected', problem: problem ?? 'unknown_payment' }
      // A poll without changes is not stored as an event.
      if (origin.source === 'poll' && result.outcome !== 'applied' && result.outcome !== 'rejected') return
      if (result.problem)
        log.warn({ provider, paymentId: named.id, problem: result.problem }, 'A payment event has a problem')
      writeWithCommit(
        tx
          .insert(paymentCallback)
          .values({ ...stored, paymentId: row?.id ?? null, ...result, processedAt: new Date() }),
      )
    })
  } catch (error) {
    log.error({ provider, paymentId: named.id, err: withoutQueryValues(error) }, 'A payment event could not be applied')
    await storeFailure(stored, named.id)
    throw error
  }
}

// A payment belongs to the account of its purpose: keys of a school must not confirm what the installation receives.
function problemOf(
  row: Payment | null,
  provider: ProviderName,
  { onlyTenantId, source }: Origin,
): CallbackProblem | null {
  if (!row) return 'unknown_payment'
  if (row.provider !== provider) return 'provider'
  const isInstallation = onlyTenantId === null
  const isOwnAccount = provider === 'sandbox' || source === 'poll' || (row.purpose === 'plan') === isInstallation
  return isOwnAccount ? null : 'provider'
}

async function findReceiver({ provider: name, account: accountName }: IncomingCallback) {
  const known = PROVIDERS.find((provider) => provider === name)
  if (!known) throw new Refusal('not_found')
  const provider = getProvider(known)
  if (accountName === INSTALLATION) {
    const account = findInstallationAccount(known)
    if (!account) throw new Refusal('not_found')
    return { provider, account, tenantId: null }
  }
  if (!UUID_PATTERN.test(accountName)) throw new Refusal('not_found')
  const account = await findSchoolAccount(known, accountName)
  if (!account) throw new Refusal('not_found')
  return { provider, account, tenantId: accountName }
}

/** The account of a school, with one statement: keys are stored for a tenant that exists, and the sandbox has none. */
async function findSchoolAccount(name: ProviderName, tenantId: string): Promise<ProviderAccount | null> {
  if (name !== 'sandbox') return inTenant({ tenantId }, (tx) => findAccount(tx, name, 'order'))
  await getTenant(tenantId)
  return SANDBOX_ACCOUNT
}

async function parseEvents(
  provider: PaymentProvider,
  callback: RawCallback,
  tenantId: string | null,
): Promise<ProviderEvent[]> {
  try {
    return provider.parseCallback(callback)
  } catch (error) {
    if (!(error instanceof CallbackFormatError)) throw error
    if (tenantId) await storeRejection(tenantId, provider.name, callback, 'format', true)
    return []
  }
}

function storedHeaders(provider: PaymentProvider, headers: Headers): Record<string, string> {
  return Object.fromEntries(
    provider.callbackHeaders.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value.slice(0, 2000)] as const]
    }),
  )
}

async function storeRejection(
  tenantId: string,
  provider: ProviderName,
  callback: RawCallback,
  problem: CallbackProblem,
  signatureOk = false,
): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const { granted } = await spendBudget(tx, `payment-rejected:${tenantId}`, 1, STORED_REJECTIONS)
    if (granted === 0) return
    const row = { tenantId, provider, source: 'callback' as const, ...callback, signatureOk }
    await tx.insert(paymentCallback).values({ ...row, outcome: 'rejected', problem, processedAt: new Date() })
  })
}

async function storeFailure(
  stored: Omit<typeof paymentCallback.$inferInsert, 'outcome' | 'paymentId'>,
  paymentId: string,
): Promise<void> {
  await inTenant(stored, (tx) =>
    tx.insert(paymentCallback).values({ ...stored, paymentId, outcome: 'failed', problem: 'internal' }),
  ).catch((error: unknown) => log.error({ err: withoutQueryValues(error) }, 'A failed payment event was not stored'))
}
