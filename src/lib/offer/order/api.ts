import { NoInput, NoOutput, noOutput, procedureForRoles, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { listRefusedSales } from '../checkout/refused-sale.ts'
import { readSalesReport } from '../report/report.ts'
import { SalesReport, SalesReportInput } from '../report/schema.ts'
import { cancelByStaff } from '../subscription/cancel.ts'
import { confirmOrderTransfer } from '../transfer/confirm.ts'
import { ConfirmTransfer } from '../transfer/schema.ts'
import { addOrderNote, getOrder } from './card.ts'
import { listOrders } from './list.ts'
import {
  AddOrderNote,
  ListOrders,
  ListOwnOrders,
  OrderId,
  OrderReceiptId,
  OrderViewId,
  RefundOrder,
  ResendEmail,
  SaveOrderView,
} from './order-schema.ts'
import {
  ConfirmTransferOutput,
  ListOrdersOutput,
  ListOwnOrdersOutput,
  OrderOutput,
  OrderViewsOutput,
  RefundOutput,
  RefusedSalesOutput,
  SaveOrderViewOutput,
} from './output-schema.ts'
import { listOwnOrders } from './own/own-orders.ts'
import { refundOrder } from './refund.ts'
import { releaseOrder } from './release.ts'
import { repeatOrderReceipt, resendOrderEmail } from './resend/resend.ts'
import { deleteOrderView, listOrderViews, saveOrderView } from './views/views.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')
const manager = procedureForRoles('OWNER', 'DIRECTOR')

/** Procedures of orders. */
export const order = {
  list: staff
    .route({
      summary: 'Returns orders, newest first, with the totals of the filter; experts get those of their courses',
    })
    .input(ListOrders)
    .output(ListOrdersOutput)
    .handler(({ input, context }) => listOrders(context.actor, input)),
  get: staff
    .route({ summary: 'Returns one order with its payments and timeline' })
    .input(OrderId)
    .output(OrderOutput)
    .handler(({ input, context }) => getOrder(context.actor, input)),
  refund: manager
    .route({ summary: 'Returns money of an order and changes the access as chosen' })
    .input(RefundOrder)
    .output(RefundOutput)
    .handler(({ input, context }) => refundOrder(context.actor, input)),
  addNote: manager
    .route({ summary: 'Adds a note to the timeline of an order' })
    .input(AddOrderNote)
    .output(NoOutput)
    .handler(({ input, context }) => addOrderNote(context.actor, input).then(noOutput)),
  resendEmail: manager
    .route({ summary: 'Sends the confirmation, the invitation or the fiscal receipt of an order again' })
    .input(ResendEmail)
    .output(NoOutput)
    .handler(({ input, context }) => resendOrderEmail(context.actor, input).then(noOutput)),
  repeatReceipt: manager
    .route({ summary: 'Registers a refused fiscal receipt again' })
    .input(OrderReceiptId)
    .output(NoOutput)
    .handler(({ input, context }) => repeatOrderReceipt(context.actor, input).then(noOutput)),
  listViews: staff
    .route({ summary: 'Returns the saved views of the list of orders' })
    .input(NoInput)
    .output(OrderViewsOutput)
    .handler(({ context }) => listOrderViews(context.actor)),
  saveView: staff
    .route({ summary: 'Saves a view of the list of orders under a name' })
    .input(SaveOrderView)
    .output(SaveOrderViewOutput)
    .handler(({ input, context }) => saveOrderView(context.actor, input)),
  deleteView: staff
    .route({ summary: 'Deletes a saved view of the list of orders' })
    .input(OrderViewId)
    .output(NoOutput)
    .handler(({ input, context }) => deleteOrderView(context.actor, input).then(noOutput)),
  confirmTransfer: manager
    .route({ summary: 'Records that the bank transfer of an order has arrived, and gives the access' })
    .input(ConfirmTransfer)
    .output(ConfirmTransferOutput)
    .handler(({ input, context }) => confirmOrderTransfer(context.actor, input)),
  listRefused: staff
    .route({ summary: 'Returns the buyers whom the checkout has refused since the plan takes no further student' })
    .input(NoInput)
    .output(RefusedSalesOutput)
    .handler(({ context }) => listRefusedSales(context.actor)),
  release: manager
    .route({ summary: 'Cancels an unpaid order, so that others can have its seat and its use of a promo code' })
    .input(OrderId)
    .output(NoOutput)
    .handler(({ input, context }) => releaseOrder(context.actor, input).then(noOutput)),
  cancelSubscription: manager
    .route({ summary: 'Cancels a subscription: the access lasts until the end of the paid period' })
    .input(OrderId)
    .output(NoOutput)
    .handler(({ input, context }) => cancelByStaff(context.actor, input).then(noOutput)),
  getReport: staff
    .route({ summary: 'Returns the revenue of a year by month, offer, source and promo code' })
    .input(SalesReportInput)
    .output(SalesReport)
    .handler(({ input, context }) => readSalesReport(context.actor, input)),
  listMine: signedInProcedure
    .route({ summary: 'Returns the purchases of the signed-in person, newest first' })
    .input(ListOwnOrders)
    .output(ListOwnOrdersOutput)
    .handler(({ input, context }) => listOwnOrders(context.actor, input)),
}
