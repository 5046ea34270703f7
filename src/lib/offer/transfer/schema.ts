import { z } from 'zod'

const id = z.uuid()

export const ConfirmTransfer = z.object({ orderId: id, paymentId: id })
export type ConfirmTransfer = z.output<typeof ConfirmTransfer>

export const MAX_STATEMENT_BYTES = 2 * 1024 ** 2

/** Lines of a bank statement, with the transfers that they confirm. */
export const ConfirmLines = z.object({
  lines: z
    .array(ConfirmTransfer.extend({ reference: z.string().regex(/^[\w-]{43}$/) }))
    .min(1, 'required')
    .max(1000),
})
export type ConfirmLines = z.output<typeof ConfirmLines>
