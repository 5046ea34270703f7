import { describe, expect, test } from 'vitest'
import type { ImportField } from '#lib/core/shared/student-import.ts'
import { guessMapping } from '#lib/student/import/guess-mapping.ts'

const guess = (...heading: string[]) => guessMapping(heading, [], new Map())

describe('the columns of an imported table', () => {
  test.each<[string[], (ImportField | null)[]]>([
    [
      ['Пошта', 'Ім’я та прізвище'],
      ['email', 'fullName'],
    ],
    [
      ['Прізвище, ім’я', 'Email'],
      ['surnameFirst', 'email'],
    ],
    [
      ['ПІБ', 'Електронна пошта', 'Телефон'],
      ['surnameFirst', 'email', 'phone'],
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
      ['ПРІЗВИЩЕ', "ІМ'Я", 'По батькові:', 'ЕЛЕКТРОННА АДРЕСА', 'Моб. тел.'],
      ['lastName', 'firstName', 'patronymic', 'email', 'phone'],
    ],
    ...["Ім'я", 'Ім`я', 'Імʼя', 'Ім‘я', 'Ім´я', '\ufeffІм’я:', ' Ім’я * '].map(
      (title): [string[], (ImportField | null)[]] => [
        ['Прізвище', title, 'Мобільний', 'Пошта студента'],
        ['lastName', 'firstName', 'phone', 'email'],
      ],
    ),
    [
      ['Студент', 'Електронна адреса', 'Телеграм', 'Дата реєстрації на курс', 'Компанія'],
      ['fullName', 'email', null, null, null],
    ],
    // GetCourse.
    [
      ['id', 'Email', 'Создан', 'Имя', 'Фамилия', 'Телефон', 'Имя менеджера', 'Email менеджера'],
      [null, 'email', null, 'firstName', 'lastName', 'phone', null, null],
    ],
    // Google Contacts, both of its formats.
    [
      [
        'First Name',
        'Middle Name',
        'Last Name',
        'Phonetic First Name',
        'Nickname',
        'File As',
        'Labels',
        'E-mail 1 - Label',
      ],
      ['firstName', 'patronymic', 'lastName', null, null, null, null, null],
    ],
    [
      [
        'Name',
        'Given Name',
        'Additional Name',
        'Family Name',
        'E-mail 1 - Type',
        'E-mail 1 - Value',
        'Phone 1 - Value',
      ],
      [null, 'firstName', 'patronymic', 'lastName', null, 'email', 'phone'],
    ],
    // Moodle.
    [
      ['username', 'firstname', 'lastname', 'middlename', 'email', 'phone1', 'course1', 'group1', 'firstnamephonetic'],
      [null, 'firstName', 'lastName', 'patronymic', 'email', 'phone', 'course', 'group', null],
    ],
    [
      [
        'First name',
        'Last name',
        'ID number',
        'Institution',
        'Department',
        'Email address',
        'Last downloaded from this course',
      ],
      ['firstName', 'lastName', null, null, null, 'email', null],
    ],
    // Teachable, Stripe and WayForPay.
    [
      ['id', 'name', 'email', 'joined_at', 'last_sign_in_at', 'unsubscribed_from_marketing_emails'],
      [null, 'fullName', 'email', null, null, null],
    ],
    [
      ['id', 'Description', 'Customer Email', 'Customer Name', 'Customer Phone', 'Card Name', 'Email Status'],
      [null, null, 'email', 'fullName', 'phone', null, null],
    ],
    [
      ['Номер замовлення', 'Email платника', 'ПІБ платника', 'Телефон платника', 'Банк'],
      [null, 'email', 'surnameFirst', 'phone', null],
    ],
    [
      ['Username', 'Email', 'Full Name', 'Enrollment Date', 'Student ID'],
      [null, 'email', 'fullName', null, null],
    ],
    [
      ['Поштова адреса', 'Поштовий індекс', 'Пошта'],
      [null, null, 'email'],
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

  test('of names are read in the order of their cells when the heading does not tell it', () => {
    const order = (...names: string[]) =>
      guessMapping(
        ['Студент', 'Email'],
        names.map((name) => [name, 'a@columns.test']),
        new Map(),
      )[0]
    expect(order('Шевченко Іван', 'Коваль Ганна', 'Марія Бондар')).toBe('surnameFirst')
    expect(order('Іван Шевченко', 'Ганна Коваль')).toBe('fullName')
    expect(order('Шевченко Тарас Григорович')).toBe('surnameFirst')
    expect(order('Тарас Григорович Шевченко', 'Jane Doe')).toBe('fullName')
  })

  test('of addresses contain addresses, whatever their headings', () => {
    const mapping = guessMapping(['Email', 'Контакти'], [['так', 'olena@columns.test']], new Map())
    expect(mapping).toEqual([null, 'email'])
    expect(guessMapping(['Адреса', 'Хто'], [['olena@columns.test', 'Оля']], new Map())).toEqual(['email', null])
  })

  test('are custom fields by their names, which come before common headings', () => {
    const fields = [{ id: 'f1', name: 'Курс навчання' }]
    expect(guessMapping(['Email', 'курс НАВЧАННЯ', 'Курс'], [], new Map(), fields)).toEqual([
      'email',
      'field.f1',
      'course',
    ])
    const storedChoices = new Map([['рік', 'field.gone' as const]])
    expect(guessMapping(['Email', 'Рік'], [], storedChoices, fields)).toEqual(['email', null])
  })
})
