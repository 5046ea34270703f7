import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OfferState } from '#lib/offer/schema.ts'

interface OfferAction {
  label: string
  intent: string
  fields: Record<string, string>
}

/** Secondary actions on an offer. */
export function offerMenu(
  t: Translate,
  { id, name, state }: { id: string; name: string; state: OfferState },
): OfferAction[] {
  const fields = { offerId: id }
  const copied = { ...fields, name, newOfferId: crypto.randomUUID() }
  return [
    ...(state === 'active' ? [{ label: t('offer:action.unpublish'), intent: 'unpublishOffer', fields }] : []),
    { label: t('offer:action.copy'), intent: 'copyOffer', fields: copied },
    state === 'archived'
      ? { label: t('offer:action.restore'), intent: 'restoreOffer', fields }
      : { label: t('offer:action.archive'), intent: 'archiveOffer', fields },
  ]
}
