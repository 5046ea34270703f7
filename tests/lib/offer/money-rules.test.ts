import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moneyInput, parseMoney } from '#lib/offer/money-rules.ts'
import { MAX_AMOUNT } from '#lib/offer/schema.ts'

test.each([
  { typed: '1500', amount: 150_000 },
  { typed: '1 499,5', amount: 149_950 },
  { typed: '1\u00a0499.05', amount: 149_905 },
  { typed: '0', amount: 0 },
])('"$typed" is $amount', ({ typed, amount }) => {
  expect(parseMoney(typed)).toBe(amount)
})

test.each(['', '-5', '1.999', '1,5,0', '1e3', 'сто', '.5', '1234567890'])('"%s" is no amount', (typed) => {
  expect(parseMoney(typed)).toBeNull()
})

test('whole amounts are shown without a fraction', () => {
  expect([150_000, 149_950, 5, 0].map(moneyInput)).toEqual(['1500', '1499.50', '0.05', '0'])
})

test('what a field shows is read back as the same amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_AMOUNT }), (amount) => {
      expect(parseMoney(moneyInput(amount))).toBe(amount)
    }),
  )
})
