import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { sandboxCallback } from '#lib/payment/providers/sandbox.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { openWire, type Wire } from '../../../scripts/bench/trips.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { createSoldOffer, currentGrants, order, readOrder } from '../../setup/offer/orders.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let wire: Wire
let home: TestTenant
let offerId: string
beforeAll(async () => {
  const { socketDir } = inject('cluster')
  wire = await openWire(socketDir)
  // Before the first connection: all connections of the pool are counted.
  pool.options.connectionString = config.databaseUrl?.replace(
    encodeURIComponent(socketDir),
    encodeURIComponent(wire.socketDir),
  )
  home = await createTestTenant()
  offerId = await createSoldOffer(home.as.OWNER, (await publishedCourse(home.as.OWNER)).courseId)
})
afterAll(() => pool.end())

/** Pays an order of a student, or of a person without an account, by a callback. Returns what it needed from the database. */
async function payByCallback(name: string, buyer: Actor | null = home.as.STUDENT) {
  const placed = buyer
    ? await order(home, offerId, { email: buyer.email, name }, { actor: buyer })
    : await order(home, offerId, { name })
  const [payment] = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  if (!payment) throw new Error('the order has no payment')
  const { amount, currency, tenantId } = payment
  const { body, headers } = sandboxCallback({ reference: referenceOf(payment), status: 'success', amount, currency })
  const before = { ...wire.counted }
  await handleCallback(
    { order: applyOrderPayment, plan: async () => {} },
    { provider: 'sandbox', account: tenantId, body, headers: new Headers(headers) },
  )
  const needed = {
    trips: wire.counted.trips - before.trips,
    statements: wire.counted.statements - before.statements,
  }
  const { studentId } = await readOrder(tenantId, placed.publicId)
  const grants = await currentGrants(tenantId, studentId ?? '')
  return { needed, isGranted: grants.some(({ sourceId }) => sourceId === placed.id) }
}

test('a callback that gives access needs six round trips to the database and twelve statements', async () => {
  // The first one creates the queue of its job.
  await payByCallback('Перша')
  const { needed, isGranted } = await payByCallback('Друга')
  expect(isGranted).toBe(true)
  expect(needed.trips).toBeLessThanOrEqual(6)
  expect(needed.statements).toBeLessThanOrEqual(12)
})

test('a callback that admits a new buyer needs 21 round trips and 28 statements', async () => {
  await payByCallback('Перший', null)
  const { needed, isGranted } = await payByCallback('Другий', null)
  expect(isGranted).toBe(true)
  expect(needed.trips).toBeLessThanOrEqual(21)
  expect(needed.statements).toBeLessThanOrEqual(28)
})
