import { eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail, type EmailParts } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { formatDate, formatDateTime, formatMoney } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { readOrderAccess } from '#lib/course/access/order/order-access.ts'
import { notifyManagers } from '#lib/notification/notify-school-team.ts'
import type { FiscalReceipt } from '#lib/payment/fiscal/receipts.ts'
import { getTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { user } from '#lib/user/table.ts'
import { addressTokenOf } from '../checkout/address-token.ts'
import { accessText, summarizeAccess } from './access/access-summary.ts'
import { isLimitedOrder, isTrial } from './rules.ts'
import type { OfferSnapshot } from './schema.ts'
import type { salesOrder } from './table.ts'

type OrderRow = typeof salesOrder.$inferSelect

interface ConfirmedPayment {
  isFirst: boolean
  /** The person who gets the access has an invitation to accept. */
  isInvited: boolean
  amount: number
  /** Makes the email another one, when it is sent again. */
  about?: string
}

/**
 * Confirms a payment to the buyer, and tells the recipient of a gift who has an account already; a new person has got the
 * invitation instead.
 */
export async function emailBuyer(
  tx: Tx,
  order: OrderRow,
  snapshot: OfferSnapshot,
  { isFirst, isInvited, amount, about }: ConfirmedPayment,
): Promise<void> {
  const school = await getTenant(order.tenantId)
  const t = getTranslator(order.locale)
  const names = namesOf(order, snapshot)
  const isGift = order.recipientEmail !== null
  const inTrial = isTrial(order)
  const isTestPurchase = order.isTest && amount > 0
  const variant = isTestPurchase ? 'test' : !isFirst ? 'part' : inTrial ? 'trial' : amount === 0 ? 'free' : 'paid'
  const isCharged = snapshot.settings.kind === 'subscription'
  const next =
    order.nextDueAt &&
    order.state !== 'canceled' &&
    order.state !== 'paused' &&
    t(`checkout:email.${inTrial ? 'afterTrial' : isCharged ? 'nextCharge' : 'nextPayment'}`, {
      date: formatDate(order.nextDueAt, school.timeZone, order.locale),
      amount: formatMoney(nextAmountOf(order), order.currency, order.locale),
    })
  const { accessFrom } = snapshot.settings
  const opensAt =
    accessFrom &&
    accessFrom > new Date() &&
    `${t('offer:access.from', { at: formatDateTime(accessFrom, school.timeZone, order.locale) })}.`
  await sendOrderEmail(t, school, order, {
    key: `${variant}/${about ?? order.paidAmount}`,
    subject: t(`checkout:email.${variant}.subject`, names),
    heading: t(`checkout:email.${variant}.heading`, names),
    paragraphs: [
      t(`checkout:email.${variant}.text`, { ...names, amount: formatMoney(amount, order.currency, order.locale) }),
      ...(next ? [next] : []),
      ...(isFirst && opensAt ? [opensAt] : []),
      ...(isFirst && isGift ? [t('checkout:email.giftSent', { email: order.recipientEmail ?? '' })] : []),
      ...(isFirst && isInvited && !isGift ? [t('checkout:email.invited')] : []),
      ...(isFirst && snapshot.settings.emailText ? [snapshot.settings.emailText] : []),
    ],
    button:
      isInvited || isGift
        ? orderButton(t, school, order)
        : { label: t('checkout:email.openCourse'), href: addressOf('go', `/course/view/${order.courseId}`) },
    links: isInvited || isGift ? [] : [orderButton(t, school, order)],
  })
  if (!about) await tellManagers(tx, order, snapshot, { kind: 'order_paid', about: String(order.paidAmount), amount })
  if (isFirst && isGift && !isInvited && !about) await emailRecipient(tx, order, snapshot, school)
}

/**
 * Writes to the buyer about an order that was not paid, a payment that is due, or the charges of a subscription. Each
 * email is sent once for a due date, or for `about` where it is given.
 */
export async function remindBuyer(
  order: OrderRow,
  snapshot: OfferSnapshot,
  kind:
    | 'abandoned'
    | 'due'
    | 'overdue'
    | 'renewal'
    | 'chargeFailed'
    | 'subscriptionEnded'
    | 'paused'
    | 'invoice'
    | 'trialEnding'
    | 'trialEnded',
  about?: string,
): Promise<void> {
  const school = await getTenant(order.tenantId)
  const t = getTranslator(order.locale)
  const due = order.nextDueAt
  const names = {
    ...namesOf(order, snapshot),
    amount: formatMoney(nextAmountOf(order), order.currency, order.locale),
    date: due ? formatDate(due, school.timeZone, order.locale) : '',
  }
  // The seat is kept for a transfer once the buyer has shown to read these emails.
  const asksAddress = kind === 'invoice' && order.addressConfirmedAt === null && isLimitedOrder(order, snapshot)
  await sendOrderEmail(t, school, order, {
    key: `${kind}/${about ?? due?.getTime() ?? 0}`,
    subject: t(`checkout:email.${kind}.subject`, names),
    heading: t(`checkout:email.${kind}.heading`, names),
    paragraphs: [t(`checkout:email.${kind}.text`, names), ...(asksAddress ? [t('checkout:email.confirmAddress')] : [])],
    button: asksAddress ? confirmButton(t, school, order) : orderButton(t, school, order),
  })
}

/** Sends the buyer the link to a fiscal receipt. Once for `about`. */
export async function emailReceipt(
  order: OrderRow,
  snapshot: OfferSnapshot,
  { kind, amount, url, fiscalCode, about }: ReceiptFields & { about: string },
): Promise<void> {
  if (!url) return
  const school = await getTenant(order.tenantId)
  const t = getTranslator(order.locale)
  const names = { ...namesOf(order, snapshot), amount: formatMoney(amount, order.currency, order.locale) }
  await sendOrderEmail(t, school, order, {
    key: `receipt/${about}`,
    subject: t(`checkout:email.receipt.${kind}.subject`, names),
    heading: t(`checkout:email.receipt.${kind}.heading`, names),
    paragraphs: [
      t(`checkout:email.receipt.${kind}.text`, names),
      t('checkout:email.receipt.code', { code: fiscalCode ?? '' }),
    ],
    button: { label: t('checkout:email.receipt.open'), href: url },
    links: [orderButton(t, school, order)],
  })
}

type ReceiptFields = Pick<FiscalReceipt, 'kind' | 'amount' | 'url' | 'fiscalCode'>

/** Tells the buyer that money was returned, and what the order gives now. */
export async function emailRefund(tx: Tx, order: OrderRow, snapshot: OfferSnapshot, amount: number): Promise<void> {
  const access = summarizeAccess(await readOrderAccess(tx, order.id, new Date()))
  const school = await getTenant(order.tenantId)
  const t = getTranslator(order.locale)
  const names = { ...namesOf(order, snapshot), amount: formatMoney(amount, order.currency, order.locale) }
  await sendOrderEmail(t, school, order, {
    key: `refund/${order.refundedAmount}`,
    subject: t('checkout:email.refund.subject', names),
    heading: t('checkout:email.refund.heading', names),
    paragraphs: [
      t('checkout:email.refund.text', names),
      accessText(t, access, { zone: school.timeZone, locale: order.locale }),
    ],
    button: orderButton(t, school, order),
  })
  await tellManagers(tx, order, snapshot, { kind: 'order_refunded', about: String(order.refundedAmount), amount })
}

/** Notifies the owner and the directors of a payment of an order. */
export async function tellManagers(
  tx: Tx,
  order: OrderRow,
  snapshot: OfferSnapshot,
  event: { kind: 'order_paid' | 'order_refunded' | 'order_charge_failed'; about: string; amount: number },
): Promise<void> {
  const amount = formatMoney(event.amount, order.currency, order.locale)
  const test = order.isTest ? ` (${getTranslator(order.locale)('checkout:test')})` : ''
  await notifyManagers(tx, {
    kind: event.kind,
    key: `${event.kind}/${order.id}/${event.about}`,
    data: { subject: `№ ${order.number}, ${amount}${test}`, context: snapshot.course },
    link: `/orders/${order.id}`,
  })
}

/** The amount of the next payment of an order. */
export const nextAmountOf = ({ schedule, amount }: OrderRow): number =>
  schedule.find(({ paidAt }) => paidAt === null)?.amount ?? amount

/** What is left of an order whose several payments have begun; null when only one of them is left. */
export function restAmountOf({ schedule, paidAt }: OrderRow): number | null {
  const left = schedule.filter((planned) => planned.paidAt === null)
  return paidAt && left.length > 1 ? left.reduce((sum, { amount }) => sum + amount, 0) : null
}

async function emailRecipient(tx: Tx, order: OrderRow, snapshot: OfferSnapshot, school: TenantView): Promise<void> {
  const to = order.recipientEmail
  if (!to) return
  const [person] = await tx.select({ locale: user.locale }).from(user).where(eq(user.email, to))
  const locale = person?.locale ?? order.locale
  const t = getTranslator(locale)
  const names = { ...namesOf(order, snapshot), name: order.buyerName }
  const text = t('checkout:email.gift.text', names)
  await sendEmail({
    tenantId: order.tenantId,
    to,
    locale,
    subject: t('checkout:email.gift.subject', names),
    body: composeEmail(t, {
      school: school.name,
      preheader: text,
      heading: t('checkout:email.gift.heading', names),
      paragraphs: [text, ...(order.giftMessage ? [order.giftMessage] : [])],
      button: { label: t('checkout:email.openCourse'), href: addressOf('go', `/course/view/${order.courseId}`) },
    }),
    onceKey: `order/${order.id}/gift`,
  })
}

const namesOf = (order: OrderRow, { course, settings }: OfferSnapshot) => ({
  number: String(order.number),
  course,
  offer: settings.name,
})

const confirmButton = (t: Translate, { subdomain }: TenantView, order: OrderRow) => ({
  label: t('checkout:email.confirmOrder'),
  href: addressOf(subdomain, `/order/${order.publicId}?confirm=${addressTokenOf(order)}`),
})

const orderButton = (t: Translate, { subdomain }: TenantView, { publicId }: OrderRow) => ({
  label: t('checkout:email.openOrder'),
  href: addressOf(subdomain, `/order/${publicId}`),
})

async function sendOrderEmail(
  t: Translate,
  school: TenantView,
  order: OrderRow,
  { key, subject, ...parts }: EmailParts & { key: string; subject: string },
): Promise<void> {
  await sendEmail({
    tenantId: order.tenantId,
    to: order.email,
    locale: order.locale,
    subject,
    body: composeEmail(t, {
      school: school.name,
      preheader: parts.paragraphs[0] ?? '',
      ...parts,
      paragraphs: [...parts.paragraphs, ...(order.isTest ? [t('checkout:order.test')] : [])],
    }),
    onceKey: `order/${order.id}/${key}`,
  })
}
