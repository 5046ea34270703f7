import { desc, eq, inArray, sql } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { renderInvoice } from '#lib/core/pdf/invoice-worker.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatDate, formatMoney, type Locale } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { formatIban } from '#lib/payment/bank/iban.ts'
import type { BankDetails } from '#lib/payment/bank/transfer.ts'
import { findInstallationAccount } from '#lib/payment/provider-accounts.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { loadAccount } from './account.ts'
import { choiceText } from './choice-text.ts'
import { lockPlans } from './group-plan.ts'
import { requireBillingManager } from './overview.ts'
import { BILLING_CURRENCY } from './plans.ts'
import { DocumentContent, type DocumentId, type DocumentKind } from './schema.ts'
import { planDocument, type planPurchase } from './table.ts'

const render = workerTask<typeof renderInvoice>({
  file: 'src/lib/core/pdf/invoice-worker.ts',
  name: 'renderInvoice',
  lane: 'request',
  limitMs: 15_000,
})

/**
 * Who issues the documents: the account `bank` of PAYMENT_KEYS. Without it there are none, but on an installation of a
 * developer, like the payments of the sandbox, there are samples.
 */
function findIssuer(): (BankDetails & { isSample: boolean }) | null {
  const { recipient, iban, taxId } = findInstallationAccount('bank')?.keys ?? {}
  if (recipient && iban && taxId) return { recipient, iban, taxId, isSample: false }
  if (!config.devPages) return null
  const name = getTranslator('uk')('billing:document.sampleIssuer')
  return { recipient: name, iban: 'UA213223130000026007233566001', taxId: '12345678', isSample: true }
}

/**
 * Issues the invoice or act of a purchase in the surrounding transaction, which has locked the plans of the tenant: so no
 * number is given twice or skipped. A second call does nothing, and neither does one without an amount.
 */
export async function issueDocument(
  tx: Tx,
  kind: DocumentKind,
  purchase: Pick<
    typeof planPurchase.$inferSelect,
    'id' | 'tenantId' | 'group' | 'chosen' | 'amount' | 'paidFrom' | 'paidUntil'
  >,
): Promise<void> {
  const issuer = findIssuer()
  if (!issuer || purchase.amount === 0) return
  const { isSample, ...seller } = issuer
  const { tenantId, id: purchaseId, group, chosen, amount, paidFrom, paidUntil } = purchase
  const school = await getTenant(tenantId)
  await lockPlans(tx, tenantId)
  const { name, taxId, address } = await loadAccount(tx)
  const [known] = await tx
    .select({ id: planDocument.id })
    .from(planDocument)
    .where(sql`${planDocument.purchaseId} = ${purchaseId} and ${planDocument.kind} = ${kind}`)
  if (known) return
  const [last] = await tx
    .select({ number: planDocument.number })
    .from(planDocument)
    .where(eq(planDocument.kind, kind))
    .orderBy(desc(planDocument.number))
    .limit(1)
  const number = (last?.number ?? 0) + 1
  const content: DocumentContent = {
    number: `${school.subdomain.toUpperCase()}-${number}`,
    seller,
    buyer: { name: name || school.name, taxId, address },
    group,
    chosen,
    amount,
    from: paidFrom.toISOString(),
    until: paidUntil.toISOString(),
    isTest: isSample,
  }
  await tx.insert(planDocument).values({ tenantId, kind, number, purchaseId, content })
}

/** Issued documents of purchases, by the id of the purchase. */
export async function listDocuments(tx: Tx, purchaseIds: readonly string[]) {
  if (purchaseIds.length === 0) return []
  const { id, kind, number, purchaseId, content } = planDocument
  return tx
    .select({ id, kind, number, purchaseId, content })
    .from(planDocument)
    .where(inArray(purchaseId, [...purchaseIds]))
    .orderBy(desc(kind))
}

/** Where the amount of an issued invoice is transferred, and its number as it is printed. */
export function transferDetailsOf(content: unknown): BankDetails & { number: string } {
  const { seller, number } = parseStored(DocumentContent, content)
  return { ...seller, number }
}

/** An invoice or act as PDF. Refuses with forbidden, not_found. */
export async function printDocument(
  actor: Actor,
  { documentId }: DocumentId,
  locale: Locale,
): Promise<{ name: string; bytes: Uint8Array }> {
  requireBillingManager(actor)
  const [row] = await inTenant(actor, (tx) => tx.select().from(planDocument).where(eq(planDocument.id, documentId)))
  if (!row) throw new Refusal('not_found')
  const { kind, issuedAt } = row
  const content = parseStored(DocumentContent, row.content)
  const { number, seller, buyer, group, chosen } = content
  const t = getTranslator(locale)
  const day = (at: string | Date) => formatDate(at, actor.tenantTimeZone, locale)
  const amount = formatMoney(content.amount, BILLING_CURRENCY, locale)
  const isAct = kind === 'act'
  const bytes = await render({
    lang: locale,
    title: t(`billing:document.${kind}.title`, { number, date: day(issuedAt) }),
    facts: [
      [t(isAct ? 'billing:document.seller' : 'payment:transfer.recipient'), seller.recipient],
      [t('payment:transfer.taxId'), seller.taxId],
      [t('payment:transfer.iban'), formatIban(seller.iban)],
      [t('billing:document.buyer'), buyer.name],
      ...(buyer.taxId ? [[t('payment:transfer.taxId'), buyer.taxId] as const] : []),
      ...(buyer.address ? [[t('billing:details.address'), buyer.address] as const] : []),
      ...(isAct ? [] : [[t('payment:transfer.purpose'), t('billing:document.purpose', { number })] as const]),
    ],
    item: {
      heading: t('billing:document.service'),
      text: t('billing:document.item', {
        group: t(`billing:group.${group}`),
        choice: choiceText(group, chosen, { t, locale }),
        from: day(content.from),
        until: day(content.until),
      }),
      amountHeading: t('payment:transfer.amount'),
      amount,
    },
    total: [t('payment:invoice.total'), amount],
    notes: [
      t('billing:document.noVat'),
      ...(isAct ? [t('billing:document.accepted')] : []),
      ...(content.isTest ? [t('billing:document.sample')] : []),
    ],
    ...(isAct && { signatures: [t('billing:document.seller'), t('billing:document.buyer')] as const }),
  })
  return { name: `${kind}-${number}`, bytes }
}
