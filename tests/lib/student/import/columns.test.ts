import { describe, expect, test } from 'vitest'
import type { ImportField } from '#lib/core/shared/student-import.ts'
import { guessMapping } from '#lib/student/import/columns.ts'

const guess = (...heading: string[]) => guessMapping(heading, [], new Map())

describe('the columns of an imported table', () => {
  test.each<[string[], (ImportField | null)[]]>([
    [
      ['Пошта', 'Ім’я та прізвище'],
      ['email', 'fullName'],
    ],
    [
      ['Прізвище, ім’я', 'Email'],
      ['fullName', 'email'],
    ],
    [
      ['ПІБ', 'Електронна пошта', 'Телефон'],
      ['fullName', 'email', 'phone'],
    ],
    [
      ['First and last name', 'E-mail'],
      ['fullName', 'email'],
    ],
    [
      ['First name', 'Last name', 'Mobile'],
      ['firstName', 'lastName', 'phone'],
    ],
    [
      ['Примітка', 'Курс', 'Група', 'Мітки'],
      [null, 'course', 'group', 'tags'],
    ],
  ])('%j are recognized', (heading, fields) => {
    expect(guess(...heading)).toEqual(fields)
  })

  test('of one kind are taken once', () => {
    expect(guess('Email', 'Email 2')).toEqual(['email', null])
  })

  test('without a heading are recognized by their cells', () => {
    expect(guessMapping(null, [['Олена', 'olena@columns.test', '12']], new Map())).toEqual(['fullName', 'email', null])
  })

  test('are custom fields by their names, which come before common headings', () => {
    const fields = [{ id: 'f1', name: 'Курс навчання' }]
    expect(guessMapping(['Email', 'курс НАВЧАННЯ', 'Курс'], [], new Map(), fields)).toEqual([
      'email',
      'field.f1',
      'course',
    ])
    const remembered = new Map([['рік', 'field.gone' as const]])
    expect(guessMapping(['Email', 'Рік'], [], remembered, fields)).toEqual(['email', null])
  })
})
