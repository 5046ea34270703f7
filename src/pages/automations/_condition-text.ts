import type { AutomationTrigger } from '#lib/automation/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Condition {
  trigger: AutomationTrigger
  days: number
  delayHours: number
}

/** When an automation acts, e.g. "No lesson opened for 7 days, after 2 hours". */
export function conditionText(t: Translate, { trigger, days, delayHours }: Condition): string {
  const condition =
    trigger === 'lessonsNotOpened' ? t('automation:when.idle', { count: days }) : t(`automation:trigger.${trigger}`)
  return delayHours > 0 ? `${condition}, ${t('automation:when.after', { count: delayHours })}` : condition
}
