import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SplitName, splitGivenFirst, splitSurnameFirst } from '#lib/student/import/names.ts'

const parts = ({ lastName, firstName, patronymic }: SplitName) => [lastName, firstName, patronymic]

test.each([
  ['Шевченко Тарас Григорович', 'Шевченко', 'Тарас', 'Григорович'],
  ['Шевченко Тарас', 'Шевченко', 'Тарас', ''],
  ['Іваненко-Петренко Анна Марія', 'Іваненко-Петренко', 'Анна Марія', ''],
  ['Нечуй - Левицький Іван Семенович', 'Нечуй-Левицький', 'Іван', 'Семенович'],
  ['Ван дер Берг Ян', 'Ван дер Берг', 'Ян', ''],
  ['ШЕВЧЕНКО Ольга Іллівна', 'ШЕВЧЕНКО', 'Ольга', 'Іллівна'],
  ['Коваль, Анна Марія', 'Коваль', 'Анна Марія', ''],
  ['Шевченко Т. Г.', 'Шевченко', 'Т.', 'Г.'],
  ['Алієв Ельчин Гусейн огли', 'Алієв', 'Ельчин', 'Гусейн огли'],
  ['Антонович Роман', 'Антонович', 'Роман', ''],
  ['Сковорода', 'Сковорода', '', ''],
  ['Петро Іванович', '', 'Петро', 'Іванович'],
  // Another order than that of the column.
  ['Леся Українка', 'Українка', 'Леся', ''],
  ['Марія Іванівна Коваль', 'Коваль', 'Марія', 'Іванівна'],
])('%j that begins with the surname', (text, ...expected) => {
  expect(parts(splitSurnameFirst(text))).toEqual(expected)
})

test.each([
  ['Тарас Шевченко', 'Шевченко', 'Тарас', ''],
  ['Анна Марія Коваль', 'Коваль', 'Анна Марія', ''],
  ['Тарас Григорович Шевченко', 'Шевченко', 'Тарас', 'Григорович'],
  ['Олена', '', 'Олена', ''],
  ['Vincent van Gogh', 'van Gogh', 'Vincent', ''],
  ['Ян Ван дер Берг', 'Ван дер Берг', 'Ян', ''],
  ['Martin Luther King Jr.', 'King Jr.', 'Martin Luther', ''],
  ['Doe, Jane Mary', 'Doe', 'Jane Mary', ''],
  ['Адам Міцкевич', 'Міцкевич', 'Адам', ''],
  ['Марія Іванівна', '', 'Марія', 'Іванівна'],
  ['Жаклін Роман', 'Роман', 'Жаклін', ''],
  // Another order than that of the column.
  ['Шевченко Тарас Григорович', 'Шевченко', 'Тарас', 'Григорович'],
  ['Шевченко Іван', 'Шевченко', 'Іван', ''],
])('%j that begins with the given names', (text, ...expected) => {
  expect(parts(splitGivenFirst(text))).toEqual(expected)
})

test('no word of a name is lost', () => {
  const word = fc.constantFrom(
    'Ван',
    'дер',
    'Коваль',
    'Іван',
    'Петрівна',
    'Jr.',
    'огли',
    'A.',
    'Ілліч',
    'Леся',
    'О’Коннор',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      for (const split of [splitSurnameFirst, splitGivenFirst]) {
        const found = parts(split(words.join(' '))).flatMap((part) => part.split(' ').filter(Boolean))
        expect(found.toSorted()).toEqual(words.toSorted())
      }
    }),
  )
})
