import { z } from 'zod'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { CURRENCIES } from '#lib/payment/schema.ts'

/** The largest amount of an offer or order, in minor units (kopiykas, cents): ten million of a currency. */
export const MAX_AMOUNT = 1_000_000_000

export const OFFER_STATES = ['draft', 'active', 'archived'] as const
export type OfferState = (typeof OFFER_STATES)[number]
export const OFFER_VISIBILITIES = ['public', 'link', 'hidden'] as const
export const OFFER_KINDS = ['free', 'once', 'installments', 'subscription'] as const
export type OfferKind = (typeof OFFER_KINDS)[number]
/** Kinds that the checkout can sell. */
export const SOLD_KINDS = ['free', 'once', 'installments', 'subscription'] as const satisfies readonly OfferKind[]
/** Kinds of an offer that upgrades another one, and of the one that is upgraded. */
export const UPGRADE_KINDS = ['once', 'installments'] as const satisfies readonly OfferKind[]
export const OFFER_PERIODS = ['week', 'month', 'year'] as const
export type OfferPeriod = (typeof OFFER_PERIODS)[number]
export const ACCESS_TYPES = ['lifetime', 'untilDate', 'days'] as const
export const PHONE_FIELDS = ['off', 'optional', 'required'] as const

export const MAX_OFFER_QUESTIONS = 10
const MAX_CROSS_SELLS = 5
const MAX_INSTALLMENTS = 24

const id = z.uuid()
const amount = z.int32().min(0).max(MAX_AMOUNT)
const instant = z.iso.datetime().transform((at) => new Date(at))

/** A question of the checkout besides name and email. */
export const OfferQuestion = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  label: textLine(160).min(1, 'required'),
  required: z.boolean().default(false),
})
export type OfferQuestion = z.output<typeof OfferQuestion>

/** What an offer costs. */
const PriceFields = z.object({
  kind: z.enum(OFFER_KINDS),
  currency: z.enum(CURRENCIES).default('UAH'),
  price: amount.default(0),
  /** A former price, shown struck through. */
  oldPrice: amount.nullable().default(null),
  salePrice: amount.nullable().default(null),
  saleFrom: instant.nullable().default(null),
  saleTo: instant.nullable().default(null),
  period: z.enum(OFFER_PERIODS).default('month'),
  trialDays: z.int32().min(0).max(90).default(0),
  installmentCount: z.int32().min(2).max(MAX_INSTALLMENTS).default(3),
  installmentDays: z.int32().min(1).max(180).default(30),
  /** The first payment; null: an equal part. */
  firstAmount: amount.nullable().default(null),
})

/** What buyers get and for how long. */
const ContentFields = z.object({
  /** Modules of the course; null: all of them. */
  moduleIds: z.array(id).min(1, 'offer_needs_module').max(200).nullable().default(null),
  /** Other courses, as a whole. */
  courseIds: z.array(id).max(20).default([]),
  /** Events for which buyers are registered. */
  workshopIds: z.array(id).max(20).default([]),
  /** The mentoring program to which buyers get access; null: none. */
  mentorProgramId: id.nullable().default(null),
  /** The number of its sessions; null: as many as the program includes. */
  mentorSessions: z.int32().min(1).max(1000).nullable().default(null),
  /** Curators review homework. */
  withReview: z.boolean().default(true),
  withCertificate: z.boolean().default(true),
  /** The study group of the course that buyers join; null: none. */
  groupId: id.nullable().default(null),
  /** When the access begins; null: with the purchase. */
  accessFrom: instant.nullable().default(null),
  accessType: z.enum(ACCESS_TYPES).default('lifetime'),
  accessUntil: instant.nullable().default(null),
  accessDays: z.int32().min(1).max(3650).nullable().default(null),
})

// Not a place on the page of the order, and not that page, which would lead back to this address.
const isPageAddress = (href: string): boolean => isSafeHref(href) && /^(https?:\/\/|\/(?!order\/))/i.test(href)

const CheckoutFields = z.object({
  phone: z.enum(PHONE_FIELDS).default('optional'),
  questions: z.array(OfferQuestion).max(MAX_OFFER_QUESTIONS).default([]),
  afterMessage: multilineText(2000).default(''),
  /** Where buyers are led after payment instead of the page with the message. */
  afterUrl: z
    .string()
    .trim()
    .refine((href) => href === '' || isPageAddress(href), 'format')
    .default(''),
  emailText: multilineText(3000).default(''),
  crossSellIds: z.array(id).max(MAX_CROSS_SELLS).default([]),
})

/** The fields of an offer, without the rules between them. */
export const OfferFields = z.object({
  name: textLine(120).min(1, 'required'),
  description: multilineText(2000).default(''),
  visibility: z.enum(OFFER_VISIBILITIES).default('public'),
  salesFrom: instant.nullable().default(null),
  salesTo: instant.nullable().default(null),
  seats: z.int32().min(1).max(100_000).nullable().default(null),
  /** The offer whose buyers pay the difference; null: none. */
  upgradesOfferId: id.nullable().default(null),
  /** Title and description of the page of the checkout where its link is shared; empty: the course and the description. */
  seoTitle: textLine(70).default(''),
  seoDescription: textLine(160).default(''),
  ...PriceFields.shape,
  ...ContentFields.shape,
  ...CheckoutFields.shape,
})

/** Everything that the editor of an offer saves. */
export const OfferSettings = OfferFields.superRefine((offer, { addIssue }) => {
  const refuse = (path: keyof typeof offer, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (offer.kind !== 'free' && offer.price === 0) refuse('price', 'offer_needs_price')
  if (offer.oldPrice !== null && offer.oldPrice <= offer.price) refuse('oldPrice', 'offer_old_price')
  if (offer.salePrice !== null && offer.salePrice >= offer.price) refuse('salePrice', 'offer_sale_price')
  if (offer.saleFrom && offer.saleTo && offer.saleFrom >= offer.saleTo) refuse('saleTo', 'end_before_start')
  if (offer.salesFrom && offer.salesTo && offer.salesFrom >= offer.salesTo) refuse('salesTo', 'end_before_start')
  if (offer.kind === 'installments' && offer.firstAmount !== null) {
    // Providers make no payment of nothing.
    if (offer.firstAmount === 0 || offer.firstAmount >= offer.price) refuse('firstAmount', 'offer_first_amount')
  }
  // The periods of a subscription are counted from its first payment.
  if (offer.kind === 'subscription' && offer.accessFrom) refuse('accessFrom', 'offer_start_subscription')
  if (offer.accessType === 'untilDate' && !offer.accessUntil) refuse('accessUntil', 'required')
  if (offer.accessType === 'untilDate' && offer.accessUntil && offer.accessFrom) {
    if (offer.accessFrom >= offer.accessUntil) refuse('accessUntil', 'end_before_start')
  }
  if (offer.accessType === 'days' && offer.accessDays === null) refuse('accessDays', 'required')
})
export type OfferSettings = z.output<typeof OfferSettings>

export const OfferId = z.object({ offerId: id })
export type OfferId = z.output<typeof OfferId>
export const ListOffers = z.object({ courseId: id })
export const CreateOffer = z.object({
  offerId: id,
  courseId: id,
  name: OfferFields.shape.name,
  kind: z.enum(SOLD_KINDS),
  price: amount.default(0),
  currency: PriceFields.shape.currency,
})
export type CreateOffer = z.output<typeof CreateOffer>
export const SaveOffer = z.object({ offerId: id, version: z.int32().min(1), settings: OfferSettings })
export type SaveOffer = z.output<typeof SaveOffer>
export const CopyOffer = z.object({ offerId: id, newOfferId: id, name: OfferFields.shape.name })
export type CopyOffer = z.output<typeof CopyOffer>
