import { formatDate, formatMoney, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PriceTerms, Total } from '#lib/offer/price-rules.ts'

/** How a price is written: the amount, what it is paid for, and what explains it. */
export interface PriceText {
  amount: string
  /** «на місяць»; null for a single payment. */
  per: string | null
  struck: string | null
  /** Installments, trial, end of the sale. */
  notes: string[]
}

/** Describes the amounts of an offer in words. */
export function priceText(t: Translate, locale: Locale, zone: string, terms: PriceTerms, total: Total): PriceText {
  const money = (amount: number) => formatMoney(amount, total.currency, locale)
  const isFree = total.total === 0
  const [next] = total.schedule
  return {
    amount: isFree ? t('offer:price.free') : money(total.total),
    per: terms.kind === 'subscription' && !isFree ? t(`offer:price.per.${terms.period}`) : null,
    struck: total.struckPrice === null || isFree ? null : money(total.struckPrice),
    notes: [
      ...(total.trialDays > 0 ? [t('offer:price.trial', { count: total.trialDays })] : []),
      ...(terms.kind === 'installments' && next
        ? [
            t('offer:price.installments', {
              count: total.schedule.length,
              first: money(total.dueNow),
              next: money(next.amount),
              days: t('offer:price.everyDays', { count: terms.installmentDays }),
            }),
          ]
        : []),
      ...(total.isOnSale && terms.saleTo
        ? [t('offer:price.saleUntil', { date: formatDate(terms.saleTo, zone, locale) })]
        : []),
    ],
  }
}
