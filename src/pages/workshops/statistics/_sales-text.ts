import { formatMoney, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { EventStatistics } from '#lib/statistics/statistics.ts'

type Sales = EventStatistics['sales']

/** What the links of buttons have sold, as a sentence; null without sales. */
export function salesSentence(sales: Sales, t: Translate, locale: Locale): string | null {
  if (sales.length === 0) return null
  return t('statistics:buttons.soldTotal', { count: countOf(sales), amount: amountsOf(sales, locale) })
}

/** The purchases by one button and their amount, or a dash. */
export function buttonSalesText(sales: Sales, buttonId: string, t: Translate, locale: Locale): string {
  const own = sales.filter((row) => row.buttonId === buttonId)
  if (own.length === 0) return t('statistics:none')
  return t('statistics:buttons.soldRow', { count: countOf(own), amount: amountsOf(own, locale) })
}

const countOf = (sales: Sales): number => sales.reduce((sum, { orderCount }) => sum + orderCount, 0)

function amountsOf(sales: Sales, locale: Locale): string {
  const amounts = new Map<Sales[number]['currency'], number>()
  for (const { currency, revenue } of sales) amounts.set(currency, (amounts.get(currency) ?? 0) + revenue)
  return [...amounts].map(([currency, amount]) => formatMoney(amount, currency, locale)).join(' + ')
}
