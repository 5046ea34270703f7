import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { Email } from '#lib/core/shared/text.ts'
import {
  ChangeRoles,
  NewPassword,
  Register,
  ResetPassword,
  SignIn,
  UpdatePersonal,
  VerifyEmail,
} from '#lib/user/schema.ts'

const words = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message)

test('e-mails are trimmed and lower-cased', () => {
  expect(Email.parse('  Olena.Koval+1@Kafedra.TEST ')).toBe('olena.koval+1@kafedra.test')
})

test.each([
  ['', 'required'],
  ['   ', 'required'],
  ['olena', 'email'],
  ['olena@', 'email'],
  ['@kafedra.test', 'email'],
  ['olena@kafedra', 'email'],
  ['ol ena@kafedra.test', 'email'],
  ['olena@kafedra.test\nbcc: x@y.ua', 'email'],
  ['олена@kafedra.test', 'email'],
  ['olena@kafedrа.test', 'email'],
  ['\u212Aate@kafedra.test', 'email'],
  ['olena\u200b@kafedra.test', 'email'],
  ['o\u202elena@kafedra.test', 'email'],
  ['<b>@kafedra.test', 'email'],
  [`${'a'.repeat(250)}@kafedra.test`, 'email'],
])('%j is refused: %s', (value, message) => {
  expect(words(Email, value)).toEqual([message])
})

test('any e-mail that passes is short, plain and the same when parsed again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' }), fc.anything()), (value) => {
      const parsed = Email.safeParse(value)
      if (!parsed.success) return
      expect(parsed.data).toMatch(/^[\x21-\x7e]{3,254}$/)
      expect(parsed.data).toBe(parsed.data.toLowerCase())
      expect(Email.parse(parsed.data)).toBe(parsed.data)
    }),
    { numRuns: 500 },
  )
})

test('a new password obeys every rule and is bounded', () => {
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

test('no door throws or lets an unknown shape in', () => {
  for (const schema of [Register, SignIn, ResetPassword, VerifyEmail, UpdatePersonal, ChangeRoles]) {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        expect(() => schema.safeParse(value)).not.toThrow()
      }),
    )
  }
})

test('a time zone must exist, a language must be known', () => {
  expect(UpdatePersonal.safeParse({ timeZone: 'Europe/Kyiv' }).success).toBe(true)
  for (const bad of [{ timeZone: 'Europe/Nowhere' }, { timeZone: '' }, { locale: 'ru' }, { phone: '<script>' }]) {
    expect(UpdatePersonal.safeParse(bad).success).toBe(false)
  }
})
