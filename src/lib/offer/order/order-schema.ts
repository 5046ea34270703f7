import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { MAX_AMOUNT } from '../schema.ts'
import { ORDER_STATES, REFUND_ACCESS } from './state-schema.ts'

const id = z.uuid()

export const OrderId = z.object({ orderId: id })
export type OrderId = z.output<typeof OrderId>

export const PreviewRefund = z.object({
  orderId: id,
  /** Minor units. */
  amount: z.int32().min(1, 'refund_needs_amount').max(MAX_AMOUNT),
  reason: textLine(300).min(1, 'required'),
})
export type PreviewRefund = z.output<typeof PreviewRefund>

export const RefundOrder = PreviewRefund.extend({
  /** Absent: a partial amount keeps the access, and everything that is left ends it. */
  access: z.enum(REFUND_ACCESS).optional(),
  /** The same refund sent twice, e.g. by a double click, is made once. */
  refundId: id.optional(),
})
export type RefundOrder = z.output<typeof RefundOrder>

export const AddOrderNote = z.object({ orderId: id, text: multilineText(2000).min(1, 'required') })
export type AddOrderNote = z.output<typeof AddOrderNote>

/** Emails of an order that staff can send again. */
export const RESENT_EMAILS = ['confirmation', 'invitation', 'receipt'] as const
export const ResendEmail = z.object({ orderId: id, email: z.enum(RESENT_EMAILS) })
export type ResendEmail = z.output<typeof ResendEmail>

export const OrderReceiptId = z.object({ orderId: id, receiptId: id })
export type OrderReceiptId = z.output<typeof OrderReceiptId>

export const OrderCallbackId = z.object({ orderId: id, callbackId: id })
export type OrderCallbackId = z.output<typeof OrderCallbackId>

export const SaveOrderView = z.object({ name: textLine(60).min(1, 'required'), query: z.string().max(2000) })
export type SaveOrderView = z.output<typeof SaveOrderView>
export const OrderViewId = z.object({ viewId: id })
export type OrderViewId = z.output<typeof OrderViewId>

const OptionalId = z.union([z.literal('').transform(() => undefined), id]).optional()
const Day = z.union([z.literal('').transform(() => undefined), z.iso.date()]).optional()

export const OrderFilter = z.object({
  state: z.union([z.literal('').transform(() => undefined), z.enum(ORDER_STATES)]).optional(),
  courseId: OptionalId,
  offerId: OptionalId,
  couponId: OptionalId,
  /** First and last day, in the time zone of the tenant. */
  from: Day,
  to: Day,
  /** Number, name, email address or phone. */
  q: textLine(100).default(''),
})
export type OrderFilter = z.output<typeof OrderFilter>

export const ListOrders = OrderFilter.extend({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListOrders = z.output<typeof ListOrders>

export const ListOwnOrders = z.object({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(20),
})
export type ListOwnOrders = z.output<typeof ListOwnOrders>
