import { expect, test } from 'vitest'
import { ROLES } from '#lib/core/shared/role.ts'
import { canManageProviders, decideStatus, isOpenStatus, isPaidStatus } from '#lib/payment/rules.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from '#lib/payment/schema.ts'

/** The statuses that may follow each one. */
const FOLLOWERS: Record<PaymentStatus, PaymentStatus[]> = {
  new: ['error', 'pending', 'success', 'canceled', 'recurrent refund', 'subscribed'],
  pending: ['error', 'success', 'canceled', 'recurrent refund', 'subscribed'],
  error: ['success', 'recurrent refund', 'subscribed'],
  canceled: ['success', 'recurrent refund', 'subscribed'],
  success: ['recurrent refund'],
  subscribed: ['recurrent refund'],
  'recurrent refund': [],
}

test.for(PAYMENT_STATUSES)('%s is followed by later statuses only', (current) => {
  const followers = PAYMENT_STATUSES.filter((status) => decideStatus(current, status) === 'applied')
  expect(followers.toSorted()).toEqual(FOLLOWERS[current].toSorted())
  expect(decideStatus(current, current)).toBe('repeated')
  const others = PAYMENT_STATUSES.filter((status) => status !== current && !followers.includes(status))
  for (const status of others) expect(decideStatus(current, status)).toBe('outdated')
})

test('a provider decides about new and pending payments, and money was received by success and subscriptions', () => {
  expect(PAYMENT_STATUSES.filter(isOpenStatus).toSorted()).toEqual(['new', 'pending'])
  expect(PAYMENT_STATUSES.filter(isPaidStatus).toSorted()).toEqual(['subscribed', 'success'])
})

test('only the owner manages how the school receives money', () => {
  expect(ROLES.filter((role) => canManageProviders({ roles: [role] }).allow)).toEqual(['OWNER'])
  const reasons = (['OWNER', 'DIRECTOR'] as const).map((role) => canManageProviders({ roles: [role] }).reason)
  expect(reasons).toEqual(['owner', 'owner_only'])
})
