import type { RefundAccess } from './state-schema.ts'

/** What happens to the access when nothing was chosen: it ends only when everything that is left is returned. */
export const defaultRefundAccess = (amount: number, refundable: number): RefundAccess =>
  amount >= refundable ? 'endNow' : 'keep'

/** What can be chosen: a paid period ends only where a next payment is planned. */
export const refundAccessChoices = ({ nextDueAt }: { nextDueAt: Date | null }): RefundAccess[] =>
  nextDueAt === null ? ['keep', 'endNow'] : ['keep', 'endNow', 'endAtPeriod']

/** Whether a choice ends the access, and with it the payments that are planned. */
export const endsAccess = (access: RefundAccess | null, nextDueAt: Date | null): boolean =>
  access === 'endNow' || (access === 'endAtPeriod' && nextDueAt !== null)
