import { formatDate, formatMoney, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PriceTerms, Total } from '#lib/offer/price-rules.ts'
import { chargeDateAfter } from '#lib/offer/subscription/schedule.ts'

/** What a subscription charges now and later, for the consent of the buyer; null for other offers. */
export function chargesText(
  t: Translate,
  locale: Locale,
  zone: string,
  { period }: Pick<PriceTerms, 'period'>,
  { renewal, currency }: Pick<Total, 'renewal' | 'currency'>,
): string | null {
  if (!renewal) return null
  return t('checkout:subscription.terms', {
    amount: formatMoney(renewal, currency, locale),
    every: t(`checkout:subscription.every.${period}`),
    date: formatDate(chargeDateAfter(new Date(), period, 1, zone), zone, locale),
  })
}
