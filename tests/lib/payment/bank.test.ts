import { expect, test } from 'vitest'
import { formatIban, isIban, normalizeIban } from '#lib/payment/bank/iban.ts'

// The examples of the registry of IBANs by SWIFT.
test.each(['UA213223130000026007233566001', 'DE89370400440532013000', 'GB29NWBK60161331926819'])(
  '%s has the right check digits, and no digit can be changed',
  (iban) => {
    expect(isIban(iban)).toBe(true)
    const changed = [...iban].map((sign, at) =>
      /\d/.test(sign) ? `${iban.slice(0, at)}${(Number(sign) + 1) % 10}${iban.slice(at + 1)}` : '',
    )
    expect(changed.filter((other) => other !== '' && isIban(other))).toEqual([])
  },
)

test('an IBAN is typed with blanks and in small letters, and shown in groups', () => {
  expect(normalizeIban(' ua21 3223 1300 0002 6007 2335 6600 1')).toBe('UA213223130000026007233566001')
  expect(formatIban('UA213223130000026007233566001')).toBe('UA21 3223 1300 0002 6007 2335 6600 1')
  expect(isIban('')).toBe(false)
})
