import { describe, expect, test } from 'vitest'
import { ROLES } from '#lib/core/shared/role.ts'
import { defaultRefundAccess, endsAccess, refundAccessChoices } from '#lib/offer/order/refund-rules.ts'
import {
  isCancelable,
  isErasedOrder,
  isLimitedOrder,
  isPausable,
  isResendable,
  isTrial,
  nextOrderState,
  ORDER_EVENTS,
  type OrderEvent,
  PAID_STATES,
} from '#lib/offer/order/rules.ts'
import { ORDER_STATES, type OrderState } from '#lib/offer/order/state-schema.ts'
import { addReportMonths, monthOf, nextMonthOf } from '#lib/offer/report/month-rules.ts'
import {
  canManageOffers,
  canReadOrders,
  canRefundOrders,
  isTestableDraft,
  nextOfferState,
  OFFER_ACTIONS,
  salesObstacle,
} from '#lib/offer/rules.ts'
import { OFFER_KINDS } from '#lib/offer/schema.ts'

const now = new Date('2027-01-10T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const rolesWith = (rule: (actor: { roles: (typeof ROLES)[number][] }) => { allow: boolean }) =>
  ROLES.filter((role) => rule({ roles: [role] }).allow)

describe('an offer', () => {
  const sold = { state: 'active', visibility: 'public', salesFrom: null, salesTo: null, seats: null } as const
  const obstacle = (change: Partial<Parameters<typeof salesObstacle>[0]>, takenCount = 0) =>
    salesObstacle({ ...sold, ...change }, takenCount, now)

  test('is sold while it is active, and not hidden', () => {
    expect(obstacle({})).toBeNull()
    expect(obstacle({ visibility: 'link' })).toBeNull()
    expect([obstacle({ visibility: 'hidden' }), obstacle({ state: 'draft' })]).toEqual(['not_active', 'not_active'])
    expect(obstacle({ state: 'archived' })).toBe('not_active')
  })

  test('is sold from the beginning of its sales until the instant of their end', () => {
    expect([obstacle({ salesFrom: now }), obstacle({ salesFrom: later(1) })]).toEqual([null, 'not_started'])
    expect([obstacle({ salesTo: later(1) }), obstacle({ salesTo: now })]).toEqual([null, 'ended'])
  })

  test('is sold out when every seat is taken', () => {
    expect([1, 2, 3].map((takenCount) => obstacle({ seats: 2 }, takenCount))).toEqual([null, 'sold_out', 'sold_out'])
    expect([obstacle({ seats: 0 }), obstacle({}, 1000)]).toEqual(['sold_out', null])
  })

  test('is activated, deactivated, archived and restored', () => {
    const states = ['draft', 'active', 'archived'] as const
    const next = states.map((state) => OFFER_ACTIONS.map((action) => nextOfferState(state, action)))
    expect(next).toEqual([
      ['active', null, 'archived', null],
      [null, 'draft', 'archived', null],
      [null, null, null, 'draft'],
    ])
  })

  test('is tried as a draft unless it is free', () => {
    const testable = OFFER_KINDS.filter((kind) => isTestableDraft({ state: 'draft', kind }))
    expect(testable).toEqual(OFFER_KINDS.filter((kind) => kind !== 'free'))
    expect(OFFER_KINDS.some((kind) => isTestableDraft({ state: 'active', kind }))).toBe(false)
  })
})

test('managers see orders and return money, experts see those of their courses', () => {
  expect(rolesWith(canManageOffers)).toEqual(ROLES.filter((role) => ['OWNER', 'DIRECTOR', 'EXPERT'].includes(role)))
  expect(rolesWith(canReadOrders)).toEqual(rolesWith(canManageOffers))
  expect(rolesWith(canRefundOrders)).toEqual(ROLES.filter((role) => ['OWNER', 'DIRECTOR'].includes(role)))
  // Only these are limited to the courses of the actor.
  const limited = ROLES.filter((role) => canReadOrders({ roles: [role] }).reason === 'expert_of_course')
  expect(limited).toEqual(['EXPERT'])
  for (const rule of [canReadOrders, canRefundOrders]) expect(rule({ roles: ['OWNER'] }).reason).toBe('manages_school')
  expect(canManageOffers({ roles: ['EXPERT'] }).reason).toBe('manages_content')
  for (const rule of [canManageOffers, canReadOrders, canRefundOrders])
    expect(rule({ roles: ['STUDENT'] }).reason).toMatch(/^no_(?:offer|order)_role$/)
})

describe('the state of an order', () => {
  const NEXT: Record<OrderState, Partial<Record<OrderEvent, OrderState>>> = {
    new: { payAll: 'paid', payPart: 'active', payLast: 'completed' },
    awaiting_payment: {
      payAll: 'paid',
      payPart: 'active',
      payLast: 'completed',
      expire: 'expired',
      cancel: 'canceled',
    },
    expired: { payAll: 'paid', payPart: 'active', payLast: 'completed' },
    canceled: {
      payAll: 'paid',
      payPart: 'active',
      payLast: 'completed',
      refundPart: 'canceled',
      refundAll: 'refunded',
    },
    paid: { refundPart: 'partially_refunded', refundAll: 'refunded' },
    partially_refunded: { refundPart: 'partially_refunded', refundAll: 'refunded' },
    refunded: {},
    active: {
      payPart: 'active',
      payLast: 'completed',
      refundPart: 'active',
      refundAll: 'refunded',
      miss: 'overdue',
      pause: 'paused',
      cancel: 'canceled',
    },
    overdue: {
      payPart: 'active',
      payLast: 'completed',
      refundPart: 'overdue',
      refundAll: 'refunded',
      suspend: 'suspended',
      cancel: 'canceled',
    },
    suspended: {
      payPart: 'active',
      payLast: 'completed',
      refundPart: 'suspended',
      refundAll: 'refunded',
      cancel: 'canceled',
    },
    paused: {
      payPart: 'active',
      resume: 'active',
      refundPart: 'paused',
      refundAll: 'refunded',
      cancel: 'canceled',
    },
    completed: { refundPart: 'partially_refunded', refundAll: 'refunded' },
  }

  test.for(ORDER_STATES)('%s is changed by its events only', (state) => {
    for (const event of ORDER_EVENTS) {
      const next = nextOrderState(state, event)
      expect([event, next]).toEqual([event, NEXT[state][event] ?? null])
    }
  })

  test('counts as paid until everything was returned, or the order was canceled', () => {
    const unpaid = ['new', 'awaiting_payment', 'refunded', 'expired', 'canceled']
    expect(ORDER_STATES.filter((state) => !PAID_STATES.includes(state))).toEqual(unpaid)
    const resendable = ORDER_STATES.filter((state) => isResendable({ state, paidAt: now }))
    expect(resendable.toSorted()).toEqual([...PAID_STATES].sort())
    expect(isResendable({ state: 'paid', paidAt: null })).toBe(false)
  })
})

describe('a subscription', () => {
  const snapshot = { settings: { kind: 'subscription' } }
  const paid = { snapshot, paidAt: now, paidAmount: 100, nextDueAt: later(1) }

  test('is canceled once it was paid, other orders never', () => {
    const cancelable = ORDER_STATES.filter((state) => isCancelable({ state, snapshot }))
    expect(cancelable).toEqual(['active', 'overdue', 'suspended', 'paused'])
    for (const other of [{ settings: { kind: 'installments' } }, { settings: {} }, {}, null])
      expect(isCancelable({ state: 'active', snapshot: other })).toBe(false)
  })

  test('is paused while it is active, paid for and not due', () => {
    expect(ORDER_STATES.filter((state) => isPausable({ ...paid, state }, now))).toEqual(['active'])
    const can = (change: Partial<typeof paid> | { nextDueAt: null } | { snapshot: null }) =>
      isPausable({ ...paid, state: 'active', ...change }, now)
    expect(can({})).toBe(true)
    expect([can({ nextDueAt: now }), can({ nextDueAt: null })]).toEqual([false, false])
    expect(can({ paidAmount: 0 })).toBe(false)
    expect([can({ snapshot: { settings: { kind: 'installments' } } }), can({ snapshot: null })]).toEqual([false, false])
  })

  test('is in its trial while nothing was paid and a payment is planned', () => {
    expect(isTrial({ ...paid, paidAmount: 0 })).toBe(true)
    expect([isTrial(paid), isTrial({ ...paid, paidAmount: 0, nextDueAt: null })]).toEqual([false, false])
    expect(isTrial({ ...paid, paidAmount: 0, paidAt: null })).toBe(false)
  })
})

test('an order holds a limited seat, a use of a coupon, or neither', () => {
  const limited = (couponId: string | null, seats: number | null) =>
    isLimitedOrder({ couponId }, { settings: { seats } })
  expect([limited(null, null), limited('c', null), limited(null, 3), limited('c', 3)]).toEqual([
    false,
    true,
    true,
    true,
  ])
})

test('an erased order has its own address', () => {
  expect(isErasedOrder({ id: 'a', email: 'a@deleted.invalid' })).toBe(true)
  expect(isErasedOrder({ id: 'a', email: 'b@deleted.invalid' })).toBe(false)
})

test('a refund ends the access when everything is returned, or as it was chosen', () => {
  expect([99, 100, 101].map((amount) => defaultRefundAccess(amount, 100))).toEqual(['keep', 'endNow', 'endNow'])
  expect(refundAccessChoices({ nextDueAt: null })).toEqual(['keep', 'endNow'])
  expect(refundAccessChoices({ nextDueAt: now })).toEqual(['keep', 'endNow', 'endAtPeriod'])
  const ends = (nextDueAt: Date | null) =>
    ([null, 'keep', 'endNow', 'endAtPeriod'] as const).map((access) => endsAccess(access, nextDueAt))
  expect(ends(null)).toEqual([false, false, true, false])
  expect(ends(now)).toEqual([false, false, true, true])
})

test('the months of reports continue over the end of a year', () => {
  expect([addReportMonths('2026-11', 2), addReportMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
  expect(addReportMonths('2026-11', 0)).toBe('2026-11')
  expect([monthOf('2026-12-31'), nextMonthOf('2026-12-31')]).toEqual(['2026-12-01', '2027-01-01'])
})
