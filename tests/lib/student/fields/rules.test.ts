import { expect, test } from 'vitest'
import { readFieldValue } from '#lib/student/fields/rules.ts'
import { AddField, type FieldKind } from '#lib/student/fields/schema.ts'

test.each<[FieldKind, typed: string, outcome: string]>([
  ['text', '  Договір   № 7 ', 'Договір № 7'],
  ['text', 'я'.repeat(500), 'я'.repeat(500)],
  ['text', 'я'.repeat(501), 'field_too_long'],
  ['text', '   ', ''],
  ['number', '1 250,50', '1250.50'],
  ['number', '-3', '-3'],
  ['number', '1e9', 'field_number'],
  ['number', '12,5,1', 'field_number'],
  ['number', '', ''],
  ['date', '2026-02-28', '2026-02-28'],
  ['date', '2026-02-30', 'field_date'],
  ['date', '28.02.2026', '2026-02-28'],
  ['date', '30.02.2026', 'field_date'],
  ['choice', 'Базовий', 'Базовий'],
  ['choice', 'Колишній', 'Колишній'],
  ['choice', 'Чужий', 'field_choice'],
  ['choice', '', ''],
])('%s: %j is %j', (kind, typed, outcome) => {
  const read = readFieldValue({ kind, options: ['Базовий', 'Повний'] }, typed, 'Колишній')
  expect('problem' in read ? read.problem : read.value).toBe(outcome)
})

test('choices are read from lines, without blanks and repetitions; a field of choices has one at least', () => {
  const choice = { name: ' Тариф ', kind: 'choice' as const }
  expect(AddField.parse({ ...choice, options: ' Базовий\r\n\nПовний\nБазовий ' })).toEqual({
    name: 'Тариф',
    kind: 'choice',
    options: ['Базовий', 'Повний'],
  })
  expect(AddField.safeParse({ ...choice, options: ' \n ' }).success).toBe(false)
  const tooMany = Array.from({ length: 51 }, (_, number) => `Варіант ${number}`)
  expect(AddField.safeParse({ ...choice, options: tooMany }).success).toBe(false)
  expect(AddField.safeParse({ name: ' ', kind: 'text' }).success).toBe(false)
})
