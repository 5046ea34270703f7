import { and, asc, eq, getTableColumns, inArray, lte, sql } from 'drizzle-orm'
import { inTenant, type Tx, writeWithCommit } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { log, withoutQueryValues } from '#lib/core/log.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import type { Payment } from '../payment.ts'
import { ProviderUnavailable } from '../provider.ts'
import type { PaymentPurpose } from '../schema.ts'
import { payment } from '../table.ts'
import { decryptFiscalKeys, getFiscalService } from './fiscal-accounts.ts'
import type { ReceiptResult } from './fiscal-provider.ts'
import { fiscalReceipt, fiscalSetting } from './table.ts'

export type FiscalReceipt = typeof fiscalReceipt.$inferSelect

/** Number of receipts of a tenant that one run registers. */
const RECEIPTS_PER_RUN = 50
const RETRY = { firstMs: MINUTE_MS, maxMs: 6 * HOUR_MS }
/** About three days; afterwards staff repeat it. */
const MAX_ATTEMPTS = 20

/**
 * Plans the fiscal receipt of a payment, charge or refund of an order that has succeeded, with the commit of its
 * transaction, where the school registers receipts. None for test payments, bank transfers, other currencies than UAH, and
 * refunds of payments without a receipt.
 */
export function planReceipt(tx: Tx, row: Payment): void {
  const { tenantId, id: paymentId, purpose, provider, kind, status, amount, currency, isTest, parentId } = row
  if (status !== 'success' || purpose !== 'order' || isTest || currency !== 'UAH' || provider === 'bank') return
  const sale =
    kind === 'refund'
      ? sql`(select id from fiscal_receipt where tenant_id = s.tenant_id and payment_id = ${parentId}::uuid)`
      : sql`null::uuid`
  const isPlanned = kind === 'refund' ? sql`sale.id is not null` : sql`true`
  const statement = tx.execute(sql`
    insert into fiscal_receipt (tenant_id, id, payment_id, service, kind, amount, related_id, next_try_at)
    select s.tenant_id, ${newId()}::uuid, ${paymentId}::uuid, s.service, ${kind === 'refund' ? 'return' : 'sale'},
      ${amount}::int, sale.id, now()
    from fiscal_setting s cross join lateral (select ${sale} as id) sale
    where s.tenant_id = ${tenantId}::uuid and s.is_enabled and ${isPlanned}
    on conflict do nothing`)
  writeWithCommit({ toSQL: () => statement.getQuery() })
}

/** The fiscal receipts of these orders, oldest first. */
export function listReceiptsOf(
  tx: Tx,
  purpose: PaymentPurpose,
  purposeIds: readonly string[],
): Promise<FiscalReceipt[]> {
  if (purposeIds.length === 0) return Promise.resolve([])
  return tx
    .select(getTableColumns(fiscalReceipt))
    .from(fiscalReceipt)
    .innerJoin(payment, paymentOfReceipt)
    .where(and(eq(payment.purpose, purpose), inArray(payment.purposeId, [...purposeIds])))
    .orderBy(asc(fiscalReceipt.createdAt), asc(fiscalReceipt.id))
}

/** Joins the payment of a receipt. */
const paymentOfReceipt = and(eq(payment.tenantId, fiscalReceipt.tenantId), eq(payment.id, fiscalReceipt.paymentId))

/** The purpose of a registered receipt, e.g. an order, whose buyer gets the link. */
export interface RegisteredReceipt {
  receipt: FiscalReceipt
  purposeId: string
}

/**
 * Registers the receipts that are due. `onDone` runs in the transaction that stores the registered receipt. A failure of
 * one is logged, and the others are continued. Periodic; returns how many were sent.
 */
export function registerReceipts(
  onDone: (tx: Tx, registered: RegisteredReceipt) => Promise<void>,
  now = new Date(),
): Promise<number> {
  const dueSql = 'select 1 from fiscal_receipt where next_try_at <= $1 limit 1'
  return forEachTenant({ job: 'offer.registerReceipts', dueSql, now }, async (tenantId) => {
    const due = await inTenant({ tenantId }, (tx) =>
      tx
        .select({ receipt: fiscalReceipt, title: payment.description, purposeId: payment.purposeId })
        .from(fiscalReceipt)
        .innerJoin(payment, paymentOfReceipt)
        .where(lte(fiscalReceipt.nextTryAt, now))
        // The receipt of a sale is registered before that of its return.
        .orderBy(asc(fiscalReceipt.createdAt), asc(fiscalReceipt.id))
        .limit(RECEIPTS_PER_RUN),
    )
    for (const item of due) {
      await registerReceipt(item, onDone, now).catch((error: unknown) =>
        log.error({ receiptId: item.receipt.id, err: withoutQueryValues(error) }, 'A receipt could not be registered'),
      )
    }
    return due.length
  })
}

/** Registers a refused receipt again, by staff who have corrected the cause. Refuses with not_found. */
export async function repeatReceipt(tx: Tx, receiptId: string): Promise<void> {
  const repeated = await tx
    .update(fiscalReceipt)
    .set({ state: 'waiting', failure: null, attempts: 1, nextTryAt: new Date() })
    .where(and(eq(fiscalReceipt.id, receiptId), eq(fiscalReceipt.state, 'failed')))
    .returning({ id: fiscalReceipt.id })
  if (repeated.length === 0) throw new Refusal('not_found')
}

interface DueReceipt extends RegisteredReceipt {
  title: string
}

async function registerReceipt(
  { receipt, title, purposeId }: DueReceipt,
  onDone: (tx: Tx, registered: RegisteredReceipt) => Promise<void>,
  now: Date,
): Promise<void> {
  const { tenantId, id, attempts } = receipt
  const prepared = await inTenant({ tenantId }, async (tx) => {
    // The next time is set first, so that another process does not send it too, and a failing service is not asked at once.
    const [claimed] = await tx
      .update(fiscalReceipt)
      .set({ attempts: attempts + 1, nextTryAt: new Date(now.getTime() + backoffMs(attempts + 1, RETRY)) })
      .where(and(eq(fiscalReceipt.id, id), eq(fiscalReceipt.attempts, attempts), eq(fiscalReceipt.state, 'waiting')))
      .returning({ id: fiscalReceipt.id })
    const [setting] = await tx.select().from(fiscalSetting).where(eq(fiscalSetting.service, receipt.service))
    const keys = setting?.isEnabled ? decryptFiscalKeys(setting.keys) : null
    return claimed && keys && (await isSaleRegistered(tx, receipt)) ? { keys } : null
  })
  if (!prepared) return
  const { keys } = prepared
  const { kind, amount, relatedId, service } = receipt
  const result = await getFiscalService(service)
    .register(keys, { id, kind, amount, title, relatedId, isRepeated: attempts > 0 }, now)
    .catch((error: unknown): ReceiptResult => {
      if (error instanceof ProviderUnavailable) return { state: 'waiting' }
      throw error
    })
  await inTenant({ tenantId }, async (tx) => {
    const [stored] = await tx
      .update(fiscalReceipt)
      .set(changeOf(result, attempts + 1, now))
      .where(and(eq(fiscalReceipt.id, id), eq(fiscalReceipt.state, 'waiting')))
      .returning()
    if (stored?.state === 'done') await onDone(tx, { receipt: stored, purposeId })
  })
}

function changeOf(result: ReceiptResult, attempts: number, now: Date): Partial<FiscalReceipt> {
  if (result.state === 'done')
    return {
      state: 'done',
      fiscalCode: result.fiscalCode,
      url: result.url,
      failure: null,
      nextTryAt: null,
      doneAt: now,
    }
  if (result.state === 'failed') return { state: 'failed', failure: result.failure.slice(0, 300), nextTryAt: null }
  return attempts < MAX_ATTEMPTS
    ? { failure: null }
    : { state: 'failed', failure: 'The service has not registered the receipt', nextTryAt: null }
}

/** A return is registered after its sale. */
async function isSaleRegistered(tx: Tx, { relatedId }: FiscalReceipt): Promise<boolean> {
  if (!relatedId) return true
  const [sale] = await tx
    .select({ id: fiscalReceipt.id })
    .from(fiscalReceipt)
    .where(and(eq(fiscalReceipt.id, relatedId), eq(fiscalReceipt.state, 'done')))
  return sale !== undefined
}
