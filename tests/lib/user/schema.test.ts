import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { NewPassword, Register, ResetPassword, SignIn, UpdatePersonal, VerifyEmail } from '#lib/user/schema.ts'

const words = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message)

test('a new password must satisfy every rule and is limited in length', () => {
  expect(NewPassword.safeParse('Kafedra-2026!').success).toBe(true)
  expect(words(NewPassword, 'abc')).toEqual(['password_short', 'password_upper', 'password_digit', 'password_special'])
  expect(NewPassword.safeParse(`Aa1!${'x'.repeat(125)}`).success).toBe(false)
})

test('two passwords must match', () => {
  const reset = { token: 'x', password: 'Probna-2026!', passwordConfirmation: 'Probna-2026?' }
  expect(ResetPassword.safeParse(reset).error?.issues).toMatchObject([
    { path: ['passwordConfirmation'], message: 'passwords_differ' },
  ])
  expect(ResetPassword.safeParse({ ...reset, passwordConfirmation: reset.password }).success).toBe(true)
})

test('every input schema refuses unknown shapes without throwing', () => {
  for (const schema of [Register, SignIn, ResetPassword, VerifyEmail, UpdatePersonal]) {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        expect(() => schema.safeParse(value)).not.toThrow()
      }),
    )
  }
})

test('a time zone must exist, a language must be supported', () => {
  expect(UpdatePersonal.safeParse({ timeZone: 'Europe/Kyiv' }).success).toBe(true)
  for (const bad of [{ timeZone: 'Europe/Nowhere' }, { timeZone: '' }, { locale: 'ru' }, { phone: '<script>' }]) {
    expect(UpdatePersonal.safeParse(bad).success).toBe(false)
  }
})
