import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OrderEntryView } from '#lib/offer/order/card.ts'

/** An entry of the timeline of an order in words. */
export function formatOrderEntry(t: Translate, { kind, text }: OrderEntryView): string {
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
      return t('order:card.callback', { text })
    case 'transfer':
      return t('order:card.transferConfirmed')
    case 'note':
      return text
  }
}
