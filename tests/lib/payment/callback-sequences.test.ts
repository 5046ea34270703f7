import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { applyOrderPayment } from '#lib/offer/order/apply-payment.ts'
import { expireOrders } from '#lib/offer/order/due-orders.ts'
import { handleCallback } from '#lib/payment/callback.ts'
import { listPayments, type PaymentChange } from '#lib/payment/payment.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { createSoldOffer, currentGrants, order, readOrder } from '../../setup/offer/orders.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { AMOUNT, messagesOf, type Report } from '../../setup/payment/callback-messages.ts'
import { LIQPAY_KEYS } from '../../setup/payment/liqpay-server.ts'
import { MONOBANK_KEYS, type MonobankServer, startMonobankServer } from '../../setup/payment/monobank-server.ts'
import { enableProvider } from '../../setup/payment/purposes.ts'
import { STRIPE_KEYS } from '../../setup/payment/stripe-server.ts'
import { WAYFORPAY_KEYS } from '../../setup/payment/wayforpay-server.ts'
import {
  addTestMember,
  createOtherTenant,
  createTestTenant,
  signInTestUser,
  type TestTenant,
} from '../../setup/tenants.ts'

/*
 * Random sequences of callbacks for the payment of an order: duplicate, in another order, forged, with another amount or
 * currency, sent to another school, at the same time, and after the reservation has ended. `npm test` takes some,
 * `npm run soak -- payments` 10,000 of each provider.
 */
const RUNS = Number(process.env.PAYMENT_RUNS ?? 30)
const PROVIDERS = (['liqpay', 'wayforpay', 'monobank', 'stripe'] as const).filter(
  (provider) => provider === (process.env.PAYMENT_PROVIDER ?? provider),
)
/** A long run prints its progress after this many sequences. */
const PROGRESS_STEP = 1000
/** Sequences at the same time, each for a course of its own: the database works while another one waits. */
const LANES = Math.min(8, Math.ceil(RUNS / 100))
/** Then a lane takes another course and student: one with thousands of orders is counted longer at each refund. */
const ORDERS_PER_STUDENT = 50

let home: TestTenant
let other: TestTenant
let monobank: MonobankServer

interface Lane {
  student: Actor
  offerId: string
  /** A paid order of the student for the same course, which no sequence may change. */
  earlier: Awaited<ReturnType<typeof readOrder>>
  orders: number
}

beforeAll(async () => {
  monobank = await startMonobankServer()
  home = await createTestTenant()
  other = await createOtherTenant()
  // A course for each lane, and several for each of them in a long run.
  const nextPayment = new Date('2099-01-01T00:00:00Z')
  for (const school of [home, other]) {
    const { id: tenantId, subdomain } = school.tenant
    await setPlan({ tenantId, group: 'lms', plan: 'max', nextPayment })
    // An actor has the plans that were valid when it was loaded.
    school.as.OWNER = (await signInTestUser(school.as.OWNER.userId, subdomain)).actor
  }
  for (const school of [home, other]) {
    await enableProvider(school, 'liqpay', LIQPAY_KEYS)
    await enableProvider(school, 'wayforpay', WAYFORPAY_KEYS)
    await enableProvider(school, 'monobank', MONOBANK_KEYS)
    await enableProvider(school, 'stripe', STRIPE_KEYS)
  }
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(async () => {
  await monobank.stop()
  await pool.end()
})

const report = fc.record({
  status: fc.constantFrom('pending', 'success', 'success', 'error', 'refund'),
  returned: fc.constantFrom(100, 20_050, 120_000, AMOUNT),
  problem: fc.constantFrom('none', 'none', 'none', 'none', 'signature', 'amount', 'currency', 'school'),
})
const sequence = fc.array(
  fc.record({
    reports: fc.array(report, { minLength: 1, maxLength: 3 }),
    again: fc.boolean(),
    // The reservation ends before these reports.
    isLate: fc.constantFrom(false, false, false, true),
  }),
  {
    minLength: 1,
    maxLength: 6,
  },
)

/** What is true of a payment after valid reports, in whatever order they came. */
function expectedOf(reports: readonly Report[]) {
  const valid = reports.filter(({ problem }) => problem === 'none')
  const refunds = valid.filter(({ status }) => status === 'refund').map(({ returned }) => returned)
  const returned = Math.max(0, ...refunds)
  const wasPaid = valid.some(({ status }) => status === 'success') || refunds.length > 0
  return { hasAccess: wasPaid && returned < AMOUNT, returned, wasPaid }
}

let count = 0
let students = 0

/** A student who has bought a course, and the offer of it. */
async function openLane(): Promise<Lane> {
  const { courseId } = await publishedCourse(home.as.OWNER)
  const offerId = await createSoldOffer(home.as.OWNER, courseId, { price: AMOUNT })
  const student = await addTestMember(home, 'STUDENT', `lane-${++students}@school.test`)
  const { placed, payment } = await placeOrder({ student, offerId }, 'liqpay')
  const report = { status: 'success', returned: 0, problem: 'none' } as const
  const { body = '' } = messagesOf(monobank).liqpay?.(referenceOf(payment), report) ?? {}
  const purposes = { plan: async () => {}, order: applyOrderPayment }
  const account = home.tenant.id
  await handleCallback(purposes, { provider: 'liqpay', account, body, headers: new Headers() })
  return { student, offerId, earlier: await readOrder(placed.tenantId, placed.publicId), orders: 0 }
}

/** An order that waits for its payment. */
async function placeOrder({ student, offerId }: Pick<Lane, 'student' | 'offerId'>, provider: ProviderName) {
  // Only the limits of orders and their emails: callbacks count in their transactions.
  await pool.query(`delete from throttle where key like 'order%' or key like 'unconfirmed:%'`)
  const { email } = student
  const placed = await order(home, offerId, { email, name: `Покупець ${++count}`, provider, shownTotal: AMOUNT })
  const [payment] = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  if (!payment) throw new Error('the order has no payment')
  return { placed, payment }
}

// A sequence that fails once is a defect.
const UNREPEATED = { timeout: 3_600_000, retry: 0 }

test.for(PROVIDERS)('%s: access follows what was paid and not returned', UNREPEATED, async (provider) => {
  const messageOf = messagesOf(monobank)[provider]
  if (!messageOf) throw new Error('no messages')
  let checked = 0
  const runLane = async () => {
    let lane = await openLane()
    const property = fc.asyncProperty(sequence, async (groups) => {
      lane.orders += 1
      if (lane.orders > ORDERS_PER_STUDENT) lane = await openLane()
      const { placed, payment } = await placeOrder(lane, provider)
      const applied: PaymentChange['payment'][] = []
      const purposes = {
        plan: async () => {},
        order: async (...[tx, change]: Parameters<typeof applyOrderPayment>) => {
          await applyOrderPayment(tx, change)
          applied.push(change.payment)
        },
      }
      const deliver = (item: Report) => {
        const { body, headers } = messageOf(referenceOf(payment), item)
        const account = (item.problem === 'school' ? other : home).tenant.id
        const sent = handleCallback(purposes, { provider, account, body, headers: new Headers(headers) })
        return sent.catch((error: unknown) => {
          if (!(error instanceof Refusal && error.code === 'unauthorized' && item.problem === 'signature')) throw error
        })
      }
      for (const { reports, again, isLate } of groups) {
        if (isLate) await expireOrders(new Date(Date.now() + 31 * MINUTE_MS))
        await Promise.all([...reports, ...(again ? reports : [])].map(deliver))
      }
      const reports = groups.flatMap((group) => group.reports)
      await expectConsistent(lane, { placed, paymentId: payment.id }, reports, applied)
      checked += 1
      if (checked % PROGRESS_STEP === 0) console.log(`${provider}: ${checked} sequences after ${process.uptime()} s`)
    })
    await fc.assert(property, { numRuns: Math.ceil(RUNS / LANES) })
  }
  await Promise.all(Array.from({ length: LANES }, runLane))
})

async function expectConsistent(
  { student, earlier }: Lane,
  { placed, paymentId }: { placed: { id: string; tenantId: string; publicId: string }; paymentId: string },
  reports: readonly Report[],
  applied: readonly PaymentChange['payment'][],
): Promise<void> {
  const [paid, ...refunds] = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  const { hasAccess, returned, wasPaid } = expectedOf(reports)
  const sum = refunds.reduce((total, { amount }) => total + amount, 0)
  expect(paid?.status === 'success' && sum < AMOUNT).toBe(hasAccess)
  expect(wasPaid || (paid?.status !== 'success' && refunds.length === 0)).toBe(true)
  // Money that was returned before it was known to be paid needs no refund of its own.
  if (paid?.status === 'success') expect(sum).toBe(returned)
  expect(refunds.every(({ kind, status }) => kind === 'refund' && status === 'success')).toBe(true)
  expect(applied.filter(({ id, status }) => id === paymentId && status === 'success').length).toBeLessThanOrEqual(1)
  expect(new Set(applied.map(({ id, status }) => `${id} ${status}`)).size).toBe(applied.length)
  const row = await readOrder(placed.tenantId, placed.publicId)
  expect([row.paidAmount, row.refundedAmount]).toEqual(paid?.status === 'success' ? [AMOUNT, sum] : [0, 0])
  const grants = await currentGrants(placed.tenantId, student.membershipId)
  const isOpen = (orderId: string) =>
    grants.some(({ sourceId, endsAt }) => sourceId === orderId && (endsAt === null || endsAt > new Date()))
  expect(isOpen(placed.id)).toBe(hasAccess)
  expect(isOpen(earlier.id)).toBe(true)
}
