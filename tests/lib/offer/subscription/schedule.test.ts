import { expect, test } from 'vitest'
import type { PlannedPayment } from '#lib/offer/order/schema.ts'
import { renewSchedule } from '#lib/offer/subscription/schedule.ts'

const KYIV = { period: 'month', zone: 'Europe/Kyiv' } as const
const paid = (dueAt: string, paidAt = dueAt): PlannedPayment => ({ amount: 49_900, dueAt, paidAt })

test('a monthly subscription is charged on the same day and hour of the month, or on its last day', () => {
  let schedule = [paid('2027-01-31T08:00:00.000Z')]
  for (const day of ['2027-02-28T08:00:00.000Z', '2027-03-31T07:00:00.000Z', '2027-04-30T07:00:00.000Z']) {
    schedule = renewSchedule(schedule, KYIV)
    expect(schedule.at(-1)).toEqual({ amount: 49_900, dueAt: day, paidAt: null })
    schedule = schedule.map((planned) => ({ ...planned, paidAt: planned.paidAt ?? planned.dueAt }))
  }
})

test('a payment inside the grace period continues the schedule, a later one begins a new period', () => {
  const first = paid('2027-01-10T08:00:00.000Z')
  const inTime = renewSchedule([first, paid('2027-02-10T08:00:00.000Z', '2027-02-15T08:00:00.000Z')], KYIV)
  expect(inTime.at(-1)?.dueAt).toBe('2027-03-10T08:00:00.000Z')
  const late = renewSchedule([first, paid('2027-02-10T08:00:00.000Z', '2027-02-20T08:00:00.000Z')], KYIV)
  expect(late.at(-1)?.dueAt).toBe('2027-03-20T08:00:00.000Z')
})

test('after a trial the periods are counted from the first payment', () => {
  const trial = { ...paid('2027-01-01T08:00:00.000Z'), amount: 0 }
  const first = { ...paid('2027-01-15T08:00:00.000Z', '2027-01-10T08:00:00.000Z'), startsPeriod: true as const }
  const begun = renewSchedule([trial, first], KYIV)
  expect(begun.at(-1)).toEqual({ amount: 49_900, dueAt: '2027-02-10T08:00:00.000Z', paidAt: null })
  const second = renewSchedule([trial, first, paid('2027-02-10T08:00:00.000Z')], KYIV)
  expect(second.at(-1)?.dueAt).toBe('2027-03-10T08:00:00.000Z')
})

test('nothing is added while a payment is due', () => {
  const schedule = [paid('2027-01-10T08:00:00.000Z'), { amount: 1, dueAt: '2027-02-10T08:00:00.000Z', paidAt: null }]
  expect(renewSchedule(schedule, KYIV)).toEqual(schedule)
  expect(renewSchedule([], KYIV)).toEqual([])
})
