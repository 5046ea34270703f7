import type { Locale } from '#lib/core/shared/locale.ts'
import type { PlanGroup } from '#lib/core/shared/role.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { limitText } from './limit-text.ts'
import { ADD_ON_OFFERS } from './plans.ts'
import { ADD_ON_LIMITS, type ChosenPlan } from './schema.ts'

/** A plan with its period and add-ons: «Про, щомісяця; Студенти: +200». */
export function choiceText(
  group: PlanGroup,
  { plan, period, addOns }: ChosenPlan,
  { t, locale }: { t: Translate; locale: Locale },
): string {
  const extra = ADD_ON_LIMITS.flatMap((limit) => {
    const quantity = (addOns[limit] ?? 0) * (ADD_ON_OFFERS[group][limit]?.unit ?? 0)
    const name = t(`billing:feature.${limit}`)
    return quantity > 0 ? [t('billing:choice.addOn', { name, quantity: limitText(limit, quantity, t, locale) })] : []
  })
  return [t(`billing:choice.${period}`, { plan: t(`billing:plan.${plan}`) }), ...extra].join('; ')
}
