import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OrderEntryView } from '#lib/offer/order/card.ts'

/** An entry of the timeline of an order in words. */
export function formatOrderEntry(t: Translate, { kind, text, report }: OrderEntryView): string {
  switch (kind) {
    case 'state':
      return t(keyFrom(`order:state.${text}`))
    case 'access':
      return t(keyFrom(`order:refund.${text}`))
    case 'reminder':
      return t(keyFrom(`order:reminder.${text}`))
    case 'email':
      return t(keyFrom(`order:resent.${text}`))
    case 'problem':
      return t(keyFrom(`order:problem.${text}`))
    case 'payment':
      return report ? formatReport(t, report) : text
    case 'transfer':
      return t('order:card.transferConfirmed')
    case 'note':
      return text
  }
}

// What the provider has reported, and the effect unless it was applied.
function formatReport(
  t: Translate,
  { provider, status, providerStatus, outcome, problem }: NonNullable<OrderEntryView['report']>,
) {
  const statusText = status ? t(keyFrom(`payment:report.${status.replace(' ', '_')}`)) : t('payment:report.none')
  const effect =
    outcome === 'applied'
      ? ''
      : t(keyFrom(outcome === 'rejected' ? `payment:problem.${problem}` : `payment:outcome.${outcome}`))
  const unknown = problem === 'status' ? t('payment:problem.status', { status: providerStatus ?? '' }) : ''
  return [`${t(`payment:provider.${provider}`)}: ${statusText}`, unknown, effect].filter(Boolean).join('. ')
}
