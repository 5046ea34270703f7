import { throttleCoupons } from '#lib/offer/checkout/limits.ts'
import { type CheckoutVisitor, placeOrder } from '#lib/offer/checkout/place-order.ts'
import { leaveAddress } from '#lib/offer/checkout/refused-sale.ts'
import { LeaveAddress, PlaceOrder } from '#lib/offer/checkout/schema.ts'
import { MAX_AMOUNT } from '#lib/offer/schema.ts'
import { type FormActions, formText } from '../_request/form-actions.ts'

/** The forms of the checkout by their field `intent`; each returns the path to show next, or null to show the page again. */
export function checkoutForms(visitor: CheckoutVisitor, offerId: string): FormActions {
  return {
    async applyCoupon() {
      await throttleCoupons(visitor.address)
      return null
    },
    async leaveAddress(form) {
      await throttleCoupons(visitor.address)
      const input = { offerId, name: formText(form, 'name'), email: formText(form, 'email') }
      await leaveAddress(visitor.tenantId, LeaveAddress.parse(input))
      return `/checkout/${offerId}?noted=1`
    },
    async order(form) {
      // Honeypot: programs fill every field, people do not see this one.
      if (formText(form, 'website')) return `/checkout/${offerId}`
      const isGift = form.has('isGift')
      const input = PlaceOrder.parse({
        offerId,
        name: formText(form, 'name'),
        email: formText(form, 'email'),
        phone: formText(form, 'phone'),
        answers: answersOf(form),
        coupon: formText(form, 'coupon'),
        gift: isGift
          ? {
              name: formText(form, 'giftName'),
              email: formText(form, 'giftEmail'),
              message: formText(form, 'giftMessage'),
            }
          : null,
        consent: form.has('consent'),
        provider: formText(form, 'provider') || undefined,
        shownTotal: Math.min(Number(formText(form, 'shownTotal')) || 0, MAX_AMOUNT),
        shownTrial: form.has('shownTrial'),
        upgrade: formText(form, 'upgrade') || undefined,
        button: formText(form, 'button') || null,
        source: sourceOf(form),
      })
      const { next } = await placeOrder(visitor, input)
      return next
    },
  }
}

/** Refusals that lead to the error page; others are shown next to what was typed. */
export const CHECKOUT_ERROR_PAGES: readonly string[] = ['not_found', 'bad_origin']

const answersOf = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form.keys()]
      .filter((name) => name.startsWith('answers.'))
      .map((name) => [name.slice('answers.'.length), formText(form, name)]),
  )

/** Where the buyer came from: the parameters of the link are fields of the form. */
function sourceOf(form: FormData): Record<string, string> {
  const fields = [...form].map(([name, value]) => [name, String(value)] as const)
  const known = fields.filter(([name, value]) => /^utm_[a-z]{1,20}$/.test(name) && value !== '')
  return Object.fromEntries(known.map(([name, value]) => [name, value.slice(0, 200)]))
}
