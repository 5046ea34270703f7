import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { payAgain } from '#lib/offer/checkout/read-order.ts'
import { confirmLines, type Proposal, proposeConfirmations } from '#lib/offer/transfer/import-statement.ts'
import { listPayments } from '#lib/payment/payment.ts'
import { saveProvider } from '#lib/payment/provider-settings.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, order, readOrder } from '../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const KEYS = { recipient: 'ТОВ «Школа»', iban: 'UA213223130000026007233566001', taxId: '12345678' }

let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
  offerId = await createSoldOffer(owner, courseId)
  await saveProvider(owner, { provider: 'bank', keys: KEYS, isTest: false })
})
afterAll(() => pool.end())

const propose = (actor: Actor, ...lines: string[]) =>
  proposeConfirmations(actor, {
    bytes: new TextEncoder().encode(['Дата;Сума;Платник;Призначення', ...lines].join('\n')),
  })
const selected = (proposals: Proposal[]) => ({
  lines: proposals.flatMap(({ verdict, reference, order: found }) =>
    verdict === 'match' && found ? [{ orderId: found.id, paymentId: found.paymentId, reference }] : [],
  ),
})

test('lines with number and amount of an order are proposed, and confirmed once', async () => {
  const [first, second] = [
    await order(home, offerId, { provider: 'bank' }),
    await order(home, offerId, { provider: 'bank' }),
  ]
  const lines = [
    `24.11.2026;1500,00;Коваль;За замовлення № ${first.number}`,
    `24.11.2026;1400,00;Мельник;За замовлення № ${second.number}`,
    '24.11.2026;1500,00;Хтось;За замовлення № 999999',
  ]
  const proposals = await propose(owner, ...lines)
  expect(proposals.map(({ verdict }) => verdict)).toEqual(['match', 'amount', 'unknown'])
  const outcomes = await Promise.all([
    confirmLines(owner, selected(proposals)),
    confirmLines(owner, selected(proposals)),
  ])
  expect(outcomes.map(({ confirmedCount }) => confirmedCount).toSorted()).toEqual([0, 1])
  expect(await readOrder(home.tenant.id, first.publicId)).toMatchObject({ state: 'paid', paidAmount: 150_000 })
  expect(await readOrder(home.tenant.id, second.publicId)).toMatchObject({ state: 'awaiting_payment' })
  expect((await propose(owner, ...lines)).map(({ verdict }) => verdict)).toEqual(['used', 'amount', 'unknown'])
})

test('two equal transfers for one order confirm one payment, and the next payment needs a line of its own', async () => {
  const installments = await createSoldOffer(owner, courseId, { kind: 'installments', installmentCount: 3 })
  const placed = await order(home, installments, { provider: 'bank' })
  const line = `24.11.2026;500,00;Коваль;№ ${placed.number}`
  const proposals = await propose(owner, line, line)
  expect(proposals.map(({ verdict }) => verdict)).toEqual(['match', 'unknown'])
  await confirmLines(owner, selected(proposals))
  await payAgain({ tenantId: home.tenant.id, address: '10.8.0.3' }, { publicId: placed.publicId, provider: 'bank' })
  expect((await propose(owner, line)).map(({ verdict }) => verdict)).toEqual(['used'])
  // A form that was changed names the line of the first payment for the second one.
  const payments = await inTenant(placed, (tx) => listPayments(tx, 'order', [placed.id]))
  const reference = proposals[0]?.reference ?? ''
  const again = { lines: [{ orderId: placed.id, paymentId: payments.at(-1)?.id ?? '', reference }] }
  expect(await confirmLines(owner, again)).toEqual({ confirmedCount: 0, skippedCount: 1 })
  expect(await readOrder(home.tenant.id, placed.publicId)).toMatchObject({ state: 'active', paidAmount: 50_000 })
})

test('a statement says nothing about orders of another school, and only owners and directors import one', async () => {
  const placed = await order(home, offerId, { provider: 'bank' })
  const line = `24.11.2026;1500,00;Коваль;№ ${placed.number}`
  expect((await propose(other.as.OWNER, line)).map(({ verdict }) => verdict)).toEqual(['unknown'])
  const stolen = selected(await propose(owner, line))
  expect(await confirmLines(other.as.OWNER, stolen)).toEqual({ confirmedCount: 0, skippedCount: 1 })
  const refused: string[] = []
  for (const role of ROLES) {
    const answer = await propose(home.as[role], line).catch(({ code }: { code: string }) => code)
    if (answer === 'forbidden') refused.push(role)
  }
  expect(refused).toEqual(ROLES.filter((role) => role !== 'OWNER' && role !== 'DIRECTOR'))
  await expect(async () => confirmLines(home.as.EXPERT, stolen)).rejects.toMatchObject({ code: 'forbidden' })
  const unknown = { lines: [{ orderId: newId(), paymentId: newId(), reference: 'a'.repeat(43) }] }
  expect(await confirmLines(owner, unknown)).toEqual({ confirmedCount: 0, skippedCount: 1 })
})
