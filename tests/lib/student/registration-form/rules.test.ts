import { expect, test } from 'vitest'
import { checkRegistration } from '#lib/student/registration-form/rules.ts'
import { ofForm, RegistrationField, RegistrationInput } from '#lib/student/registration-form/schema.ts'

const field = (id: string, change: object = {}) =>
  RegistrationField.parse({ id, label: id.toUpperCase(), kind: 'line', ...change })
const form = (...fields: RegistrationField[]) => ({ fields, consentText: '', consentUrl: null, consentVersion: 3 })
const check = (fields: RegistrationField[], answers: Record<string, string>) =>
  checkRegistration(form(...fields), { answers })

test.each([
  [{ required: true }, '', 'required'],
  [{ required: true }, '   ', 'required'],
  [{ required: true }, 'Київ', undefined],
  [{}, '', undefined],
  [{}, 'а'.repeat(300), undefined],
  [{}, 'а'.repeat(301), 'answer_too_long'],
  [{ kind: 'text' }, 'а'.repeat(2000), undefined],
  [{ kind: 'phone' }, '+380 44 123-45-67', undefined],
  [{ kind: 'phone' }, 'немає', 'format'],
  [{ kind: 'dropdown', options: ['А', 'Б'] }, 'Б', undefined],
  [{ kind: 'dropdown', options: ['А', 'Б'] }, 'В', 'format'],
])('a field %o with the answer %j gives the error %s', (change, answer, error) => {
  expect(check([field('f', change)], { f: answer }).errors['answers.f']?.[0]).toBe(error)
})

test('keeps the answers in the order of the form with their labels, without empty and unknown ones', () => {
  const fields = [field('city'), field('phone', { kind: 'phone' }), field('note')]
  const checked = check(fields, { unknown: 'x', phone: '+380441234567', city: ' Київ ', note: '' })
  expect(checked.answers).toEqual([
    { fieldId: 'city', label: 'CITY', value: 'Київ' },
    { fieldId: 'phone', label: 'PHONE', value: '+380441234567' },
  ])
  expect(checked.phone).toBe('+380441234567')
})

test.each([
  [undefined, 'consent_required'],
  [2, 'consent_changed'],
  [3, undefined],
])('a consent of version 3 that is given as %s is refused with %s', (consentVersion, error) => {
  const input = { ...form(), consentText: 'Погоджуюся' }
  expect(checkRegistration(input, { answers: {}, consentVersion }).errors.consentVersion?.[0]).toBe(error)
  expect(
    checkRegistration({ ...input, consentText: '', consentUrl: 'https://a.test' }, { answers: {}, consentVersion })
      .errors.consentVersion?.[0],
  ).toBe(error)
  expect(checkRegistration(form(), { answers: {}, consentVersion }).errors).toEqual({})
})

test('a choice from a list needs two options, and a form posts answers under their names', () => {
  expect(() => field('f', { kind: 'dropdown', options: ['А'] })).toThrow()
  expect(ofForm(RegistrationInput).parse({ 'answers.f': 'Київ', consentVersion: '3', other: 'x' })).toEqual({
    answers: { f: 'Київ' },
    consentVersion: 3,
  })
})
