import { and, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { findUsedReferences } from '#lib/payment/bank/transfer.ts'
import type { Currency } from '#lib/payment/schema.ts'
import { payment } from '#lib/payment/table.ts'
import { requireOrderManager } from '../order/permission.ts'
import { salesOrder } from '../order/table.ts'
import { confirmInTransaction } from './confirm.ts'
import { type ConfirmLines, MAX_STATEMENT_BYTES } from './schema.ts'
import type { parseStatement, StatementLine } from './statement.ts'

const parseInWorker = workerTask<typeof parseStatement>({
  file: 'src/lib/offer/transfer/statement.ts',
  name: 'parseStatement',
  lane: 'request',
  limitMs: 20_000,
})

/** A line of a statement with the transfer that it may confirm. */
export interface Proposal extends StatementLine {
  /**
   * `match`: number and amount are those of one order; `amount`: only the number; `used`: the line has confirmed a payment
   * before; `unknown`: no order, or several.
   */
  verdict: 'match' | 'amount' | 'used' | 'unknown'
  order: { id: string; number: number; buyerName: string; paymentId: string; amount: number; currency: Currency } | null
}

/**
 * What a bank statement proposes to confirm; nothing is stored. Refuses with forbidden, plan_inactive, too_large,
 * unprocessable (statement_format, statement_rows).
 */
export async function proposeConfirmations(actor: Actor, { bytes }: { bytes: Uint8Array }): Promise<Proposal[]> {
  requireOrderManager(actor)
  if (bytes.length > MAX_STATEMENT_BYTES) throw new Refusal('too_large')
  const lines = await parseInWorker({ bytes })
  return inTenant(actor, async (tx) => {
    const [candidates, used] = await Promise.all([
      findCandidates(tx, [...new Set(lines.flatMap(({ numbers }) => numbers))]),
      findUsedReferences(
        tx,
        lines.map(({ reference }) => reference),
      ),
    ])
    const proposedIds = new Set<string>()
    return lines.map((line): Proposal => {
      if (used.has(line.reference)) return { ...line, verdict: 'used', order: null }
      const named = candidates.filter(
        ({ number, paymentId }) => line.numbers.includes(number) && !proposedIds.has(paymentId),
      )
      const equal = named.filter(({ amount }) => amount === line.amount)
      const [match] = equal
      if (match && new Set(equal.map(({ id }) => id)).size === 1) {
        proposedIds.add(match.paymentId)
        return { ...line, verdict: 'match', order: match }
      }
      const [other] = named
      return other && new Set(named.map(({ id }) => id)).size === 1
        ? { ...line, verdict: 'amount', order: other }
        : { ...line, verdict: 'unknown', order: null }
    })
  })
}

/**
 * Confirms the transfers of lines that staff have selected, each in a separate transaction; what was confirmed before is
 * skipped. Refuses with forbidden, plan_inactive.
 */
export async function confirmLines(
  actor: Actor,
  { lines }: ConfirmLines,
): Promise<{ confirmedCount: number; skippedCount: number }> {
  requireOrderManager(actor)
  const { tenantId } = actor
  const task = {
    job: 'offer.confirmLines',
    tenantId,
    items: lines,
    idOf: ({ paymentId }: { paymentId: string }) => paymentId,
  }
  const confirmedCount = await forEachItem(task, async (line) =>
    Number(await inTenant(actor, (tx) => confirmInTransaction(tx, actor, line)).catch(falseIfRefused)),
  )
  return { confirmedCount, skippedCount: lines.length - confirmedCount }
}

function falseIfRefused(error: unknown): false {
  if (error instanceof Refusal) return false
  throw error
}

/** Transfers of these orders that can be confirmed, those that are expected first. */
async function findCandidates(tx: Tx, numbers: readonly number[]): Promise<NonNullable<Proposal['order']>[]> {
  if (numbers.length === 0) return []
  return tx
    .select({
      id: salesOrder.id,
      number: salesOrder.number,
      buyerName: salesOrder.buyerName,
      paymentId: payment.id,
      amount: payment.amount,
      currency: payment.currency,
    })
    .from(salesOrder)
    .innerJoin(payment, and(eq(payment.purposeId, salesOrder.id), eq(payment.purpose, 'order')))
    .where(
      and(
        inArray(salesOrder.number, [...numbers]),
        eq(payment.provider, 'bank'),
        eq(payment.kind, 'once'),
        inArray(payment.status, ['new', 'canceled']),
      ),
    )
    .orderBy(sql`${payment.status} = 'canceled'`, payment.createdAt)
}
