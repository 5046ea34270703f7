import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findBadWord, hasLink, partsOf } from '#lib/meeting/chat-word-rules.ts'

/** Latin letters and digits that pass for Ukrainian ones. */
const DISGUISES: Record<string, string[]> = {
  ...{ а: ['a', '@', 'A'], е: ['e', 'E'], о: ['o', '0', 'O'], і: ['i', '1', 'l', 'ї'], с: ['c', 'C'] },
  ...{
    р: ['p', 'P'],
    х: ['x', 'X'],
    у: ['y', 'Y'],
    к: ['k', 'K'],
    м: ['m', 'M'],
    т: ['t', 'T'],
    в: ['b', 'B'],
    н: ['h', 'H'],
  },
}
const LETTERS = 'аеоісрхукмтвндлбпз'
const letter = fc.constantFrom(...LETTERS)
const word = fc.string({ unit: letter, minLength: 3, maxLength: 10 })
const MARKS = ['', '’', "'", '\u200b', '\u00ad', '\u0301', 'ʼ']

/** A word as somebody writes it who wants it to pass. */
const disguised = (plain: string) =>
  fc
    .tuple(
      ...[...plain].map((one) =>
        fc.tuple(fc.constantFrom(one, one.toUpperCase(), ...(DISGUISES[one] ?? [])), fc.constantFrom(...MARKS)),
      ),
    )
    .map((parts) => parts.map(([one, mark], index) => one + (index < parts.length - 1 ? mark : '')).join(''))

describe('the word filter', () => {
  test('finds a word however it is dressed up', () => {
    const cases = word.chain((plain) => fc.tuple(fc.constant(plain), disguised(plain)))
    fc.assert(
      fc.property(cases, ([plain, dressed]) => {
        expect(findBadWord(`Ну й ${dressed}, правда`, ['інше слово', plain])).toBe(plain)
      }),
    )
  })

  test('finds a word that is spelled', () => {
    fc.assert(fc.property(word, (plain) => findBadWord([...plain].join(' '), [plain]) === plain))
  })

  test('lets pass what only holds the word inside another one', () => {
    fc.assert(
      fc.property(word, fc.string({ unit: letter, minLength: 1, maxLength: 3 }), (plain, more) => {
        expect(findBadWord(`${plain}${more}`, [plain])).toBeNull()
        expect(findBadWord(`${plain}${more}`, [`${plain}*`])).toBe(`${plain}*`)
      }),
    )
  })

  test('knows several words in a row, and nothing without a list', () => {
    expect(findBadWord('То купуй! зараз же', ['купуй зараз'])).toBe('купуй зараз')
    expect(findBadWord('купуй не зараз', ['купуй зараз'])).toBeNull()
    expect(findBadWord('будь-що', [])).toBeNull()
    expect(findBadWord('', ['слово', '*', ' '])).toBeNull()
  })
})

describe('links', () => {
  test.each([
    'https://a.example/x',
    'www.school.ua',
    'дивіться t.me/канал',
    'EXAMPLE.COM',
    'a.b.org.',
    'ex\u200bample.com',
  ])('sees one in %s', (text) => {
    expect(hasLink(text)).toBe(true)
  })
  test.each(['Добре.Так', 'о 19.30', 'v1.2.3', 'кінець. Початок', 'пошта@', '3.14 і т.д.'])(
    'sees none in %s',
    (text) => {
      expect(hasLink(text)).toBe(false)
    },
  )

  test('are cut out of a text without a change of it, and lead to http(s) alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom('javascript:alert(1)', '<b>', 'https://', '"'))),
        (parts) => {
          const text = parts.join(' ')
          const cut = partsOf(text)
          expect(cut.map((part) => part.text).join('')).toBe(text)
          for (const part of cut) if (part.kind === 'link') expect(part.href).toMatch(/^https?:\/\//)
        },
      ),
    )
  })
})
