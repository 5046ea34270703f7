import { readInstant } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { requireBelowPrices, saveCoupon, setCouponDisabled } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { changeOfferState, copyOffer, saveOffer } from '#lib/offer/offer.ts'
import type { OfferAction } from '#lib/offer/rules.ts'
import { CopyOffer, OfferSettings, SaveOffer } from '#lib/offer/schema.ts'
import { type FormActions, formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'
import { readNumberField } from '../_quiz/quiz-fields.ts'
import { moneyOf, offerSettingsOf } from './offer-form.ts'

/** Form actions on offers, of the list and of the editor; `here` is the path to show next. */
export function offerActions(actor: Actor, t: Translate, courseId: string, here: string): FormActions {
  const change = (action: OfferAction, notice: string) => async (form: FormData) => {
    const offerId = parseId(formText(form, 'offerId'))
    await changeOfferState(actor, { offerId, action })
    return `${here}${here.includes('?') ? '&' : '?'}notice=${notice}&offer=${offerId}`
  }
  return {
    publishOffer: change('activate', 'offerPublished'),
    unpublishOffer: change('deactivate', 'offerUnpublished'),
    archiveOffer: change('archive', 'offerArchived'),
    restoreOffer: change('restore', 'offerRestored'),
    copyOffer: async (form) => {
      const name = t('offer:copyOf', { name: formText(form, 'name') }).slice(0, 120)
      const input = { offerId: formText(form, 'offerId'), newOfferId: formText(form, 'newOfferId'), name }
      const { offerId } = await copyOffer(actor, CopyOffer.parse(input))
      return `/course/${courseId}/offer/${offerId}`
    },
    saveCoupon: async (form) => {
      const type = formText(form, 'type')
      const offerId = formText(form, 'offerId')
      const input = SaveCoupon.parse({
        couponId: formText(form, 'couponId'),
        code: formText(form, 'code'),
        type,
        value: (type === 'percent' ? readNumberField(form, 'value') : moneyOf(form, 'value')) ?? Number.NaN,
        offerIds: offerId ? [offerId] : null,
        startsAt: readInstant(form, 'startsAt', actor.tenantTimeZone),
        endsAt: readInstant(form, 'endsAt', actor.tenantTimeZone),
        maxTotal: readNumberField(form, 'maxTotal'),
        maxPerPerson: readNumberField(form, 'maxPerPerson'),
      })
      if (formText(form, 'acceptsFree') === '') await requireBelowPrices(actor, input)
      await saveCoupon(actor, input)
      return here
    },
    disableCoupon: async (form) => {
      await setCouponDisabled(actor, { couponId: parseId(formText(form, 'couponId')), isDisabled: true })
      return here
    },
    enableCoupon: async (form) => {
      await setCouponDisabled(actor, { couponId: parseId(formText(form, 'couponId')), isDisabled: false })
      return here
    },
  }
}

/** The same for the editor of one offer, with saving. `onPreview` gets the settings to show without saving them. */
export function offerEditorActions(
  actor: Actor,
  t: Translate,
  { courseId, offerId }: { courseId: string; offerId: string },
  onPreview: (settings: OfferSettings) => void,
): FormActions {
  const here = `/course/${courseId}/offer/${offerId}`
  return {
    ...offerActions(actor, t, courseId, here),
    saveOffer: async (form) => {
      const version = Number(formText(form, 'version'))
      await saveOffer(actor, SaveOffer.parse({ offerId, version, settings: offerSettingsOf(form, actor) }))
      return `${here}?notice=saved`
    },
    previewOffer: async (form) => {
      onPreview(OfferSettings.parse(offerSettingsOf(form, actor)))
      return null
    },
  }
}
