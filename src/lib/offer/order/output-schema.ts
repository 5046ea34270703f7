import { z } from 'zod'
import { RECEIPT_KINDS, RECEIPT_STATES } from '#lib/payment/fiscal/schema.ts'
import { CURRENCIES, PAYMENT_KINDS, PAYMENT_STATUSES, PROVIDERS } from '#lib/payment/schema.ts'
import { OfferSettingsOutput } from '../output-schema.ts'
import { OFFER_KINDS } from '../schema.ts'
import { RESENT_EMAILS } from './order-schema.ts'
import { OrderAnswers, PlannedPayment } from './schema.ts'
import { ORDER_ENTRY_KINDS, ORDER_STATES } from './state-schema.ts'

const OrderFields = z.object({
  id: z.string(),
  number: z.number(),
  state: z.enum(ORDER_STATES),
  isTest: z.boolean(),
  amount: z.number(),
  paidAmount: z.number(),
  refundedAmount: z.number(),
  currency: z.enum(CURRENCIES),
  createdAt: z.date(),
})

const BuyerFields = OrderFields.extend({
  buyerName: z.string(),
  email: z.string(),
  phone: z.string(),
  paidAt: z.date().nullable(),
})

export const ListOrdersOutput = z.object({
  items: z.array(BuyerFields.extend({ course: z.string(), offer: z.string(), reservedUntil: z.date().nullable() })),
  next: z.string().nullable(),
  totals: z
    .array(
      z.object({
        currency: z.enum(CURRENCIES),
        count: z.number(),
        testCount: z.number(),
        paidAmount: z.number(),
        refundedAmount: z.number(),
      }),
    )
    .nullable(),
})

export const OrderOutput = z.object({
  order: BuyerFields.extend({
    publicId: z.string(),
    courseId: z.string(),
    offerId: z.string(),
    studentId: z.string().nullable(),
    couponId: z.string().nullable(),
    recipientName: z.string().nullable(),
    recipientEmail: z.string().nullable(),
    answers: OrderAnswers,
    listAmount: z.number(),
    discountAmount: z.number(),
    creditAmount: z.number(),
    schedule: z.array(PlannedPayment),
    source: z.record(z.string(), z.string()),
    expiresAt: z.date().nullable(),
    nextDueAt: z.date().nullable(),
  }),
  snapshot: z.object({ course: z.string(), settings: OfferSettingsOutput }),
  payments: z.array(
    z.object({
      id: z.string(),
      provider: z.enum(PROVIDERS),
      kind: z.enum(PAYMENT_KINDS),
      status: z.enum(PAYMENT_STATUSES),
      parentId: z.string().nullable(),
      amount: z.number(),
      currency: z.enum(CURRENCIES),
      isTest: z.boolean(),
      cardMask: z.string().nullable(),
      failure: z.string().nullable(),
      note: z.string().nullable(),
      createdAt: z.date(),
      paidAt: z.date().nullable(),
    }),
  ),
  timeline: z.array(
    z.object({
      id: z.string(),
      at: z.date(),
      kind: z.enum([...ORDER_ENTRY_KINDS, 'payment', 'transfer']),
      text: z.string(),
      by: z.string().nullable(),
    }),
  ),
  transfer: z.object({ id: z.string(), amount: z.number() }).nullable(),
  refundable: z.number(),
  access: z.object({
    isBlocked: z.boolean(),
    courses: z.array(
      z.object({
        courseId: z.string(),
        title: z.string(),
        isOpen: z.boolean(),
        opensAt: z.date().nullable(),
        endsAt: z.date().nullable(),
        hasOther: z.boolean(),
      }),
    ),
  }),
  receipts: z.array(
    z.object({
      id: z.string(),
      paymentId: z.string(),
      kind: z.enum(RECEIPT_KINDS),
      state: z.enum(RECEIPT_STATES),
      amount: z.number(),
      fiscalCode: z.string().nullable(),
      url: z.string().nullable(),
      failure: z.string().nullable(),
      createdAt: z.date(),
      doneAt: z.date().nullable(),
    }),
  ),
  resendable: z.array(z.enum(RESENT_EMAILS)),
})

export const ConfirmTransferOutput = z.object({ isConfirmed: z.boolean() })

export const RefundOutput = z.object({
  status: z.enum(['success', 'pending', 'error']),
  failure: z.string().nullable(),
  returnedAmount: z.number(),
  requestedAmount: z.number(),
})

export const ListOwnOrdersOutput = z.object({
  items: z.array(
    OrderFields.extend({
      publicId: z.string(),
      course: z.string(),
      offer: z.string(),
      kind: z.enum(OFFER_KINDS),
      isGift: z.boolean(),
      receipts: z.array(z.object({ kind: z.enum(RECEIPT_KINDS), url: z.string() })),
      nextDueAt: z.date().nullable(),
    }),
  ),
  next: z.string().nullable(),
})

export const OrderViewsOutput = z.array(z.object({ id: z.string(), name: z.string(), query: z.string() }))
export const SaveOrderViewOutput = z.object({ viewId: z.string() })

export const RefusedSalesOutput = z.array(
  z.object({
    id: z.string(),
    course: z.string(),
    offer: z.string(),
    name: z.string(),
    email: z.string(),
    createdAt: z.date(),
  }),
)
