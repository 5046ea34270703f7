import type { ListedMutant } from './listed-mutant.ts'

/** Rules of payments, orders, plans and certificates. */
export const SALES_MUTANTS: readonly ListedMutant[] = [
  {
    breaks: 'the keys of a school confirm a plan payment to the installation',
    file: 'src/lib/payment/callback.ts',
    original: `(row.purpose === 'plan') === isInstallation`,
    replacement: `row.purpose !== 'order' || !isInstallation`,
    tests: ['tests/lib/payment/providers/liqpay.test.ts'],
  },
  {
    breaks: 'a refunded order frees the use of its coupon',
    file: 'src/lib/offer/coupon/find-coupon.ts',
    original: `[...PAID_STATES, 'refunded']`,
    replacement: `[...PAID_STATES]`,
    tests: ['tests/lib/offer/order/place-order.test.ts'],
  },
  {
    breaks: 'a late payment of an expired order does not note that its seat was sold',
    file: 'src/lib/offer/order/pay-order.ts',
    original: `isOver || order.state === 'expired' ||`,
    replacement: `isOver ||`,
    tests: ['tests/lib/offer/order/place-order.test.ts'],
  },
  {
    breaks: 'a revoked certificate is issued again automatically',
    file: 'src/lib/certificate/issue/check.ts',
    original: `new Set(studentIds).difference(new Set(had.map(({ studentId }) => studentId)))`,
    replacement: `new Set([...studentIds, ...had.map(({ studentId }) => studentId)])`,
    tests: ['tests/lib/certificate/issue.test.ts'],
  },
  {
    breaks: 'a certificate is issued automatically although the rule leaves it to the team',
    file: 'src/lib/certificate/issue/check.ts',
    original: `!rule?.enabled || !rule.autoIssue ||`,
    replacement: `!rule?.enabled ||`,
    tests: ['tests/lib/certificate/issue.test.ts'],
  },
]
