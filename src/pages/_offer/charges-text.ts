import { formatDate, formatMoney, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { PriceTerms, Total } from '#lib/offer/price-rules.ts'
import { chargeDateAfter } from '#lib/offer/subscription/schedule.ts'

/** What a subscription charges now and later, or after its trial; null for other offers. */
export function chargesText(
  t: Translate,
  locale: Locale,
  zone: string,
  { period }: Pick<PriceTerms, 'period'>,
  { renewal, currency, trialDays }: Pick<Total, 'renewal' | 'currency' | 'trialDays'>,
): string | null {
  if (!renewal) return null
  const amount = formatMoney(renewal, currency, locale)
  const every = t(`checkout:subscription.every.${period}`)
  const now = new Date()
  if (trialDays > 0) {
    const date = formatDate(new Date(now.getTime() + trialDays * DAY_MS), zone, locale)
    return t('checkout:subscription.trialTerms', { count: trialDays, amount, every, date })
  }
  return t('checkout:subscription.terms', {
    amount,
    every,
    date: formatDate(chargeDateAfter(now, period, 1, zone), zone, locale),
  })
}
