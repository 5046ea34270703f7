import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { renderInvoice } from '#lib/core/pdf/invoice-worker.ts'
import { formatDate, formatMoney, type Locale } from '#lib/core/shared/locale.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { formatIban } from '#lib/payment/bank/iban.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { readOrderPage } from '../checkout/read-order.ts'

const render = workerTask<typeof renderInvoice>({
  file: 'src/lib/core/pdf/invoice-worker.ts',
  name: 'renderInvoice',
  lane: 'request',
  limitMs: 15_000,
})

/**
 * The invoice for the transfer that the buyer of an order has chosen, as PDF, for everyone with the address of the order.
 * Refuses with not_found where no transfer is expected.
 */
export async function printInvoice(
  tenantId: string,
  publicId: string,
  locale: Locale,
): Promise<{ number: number; bytes: Uint8Array }> {
  const order = await readOrderPage(tenantId, publicId)
  const { number, transfer, snapshot, currency, expiresAt } = order
  if (!transfer) throw new Refusal('not_found')
  const t = getTranslator(locale)
  const { timeZone } = await getTenant(tenantId)
  const amount = formatMoney(transfer.amount, currency, locale)
  const bytes = await render({
    lang: locale,
    title: t('payment:invoice.title', { number, date: formatDate(transfer.createdAt, timeZone, locale) }),
    facts: [
      [t('payment:transfer.recipient'), transfer.recipient],
      [t('payment:transfer.taxId'), transfer.taxId],
      [t('payment:transfer.iban'), formatIban(transfer.iban)],
      [t('payment:invoice.buyer'), order.buyerName],
      [t('payment:transfer.purpose'), t('payment:transfer.purposeText', { number })],
    ],
    item: {
      heading: t('payment:invoice.item'),
      text: `${snapshot.course} (${snapshot.settings.name})`,
      amountHeading: t('payment:transfer.amount'),
      amount,
    },
    total: [t('payment:invoice.total'), amount],
    notes: [
      t('payment:transfer.hint'),
      ...(expiresAt ? [t('payment:transfer.until', { date: formatDate(expiresAt, timeZone, locale) })] : []),
    ],
  })
  return { number, bytes }
}
