import { expect, test } from 'vitest'
import { ROLES } from '#lib/core/shared/role.ts'
import { canManageProviders, decideStatus } from '#lib/payment/rules.ts'
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
})

test('only the owner manages how the school receives money', () => {
  expect(ROLES.filter((role) => canManageProviders({ roles: [role] }).allow)).toEqual(['OWNER'])
})
