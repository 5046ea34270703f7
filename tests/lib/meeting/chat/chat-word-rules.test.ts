import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findBadWord, hasLink, normalizeWords, splitLinks } from '#lib/meeting/chat/word-rules.ts'

/** Latin letters and digits that look like Ukrainian ones. */
const DISGUISES: Record<string, string[]> = {
  а: ['a', '@', 'A'],
  е: ['e', 'E'],
  о: ['o', '0', 'O'],
  і: ['i', '1', 'l', 'ї'],
  с: ['c', 'C'],
  р: ['p', 'P'],
  х: ['x', 'X'],
  у: ['y', 'Y'],
  к: ['k', 'K'],
  м: ['m', 'M'],
  т: ['t', 'T'],
  в: ['b', 'B'],
  н: ['h', 'H'],
}
const LETTERS = 'аеоісрхукмтвндлбпз'
const letter = fc.constantFrom(...LETTERS)
const word = fc.string({ unit: letter, minLength: 3, maxLength: 10 })
const MARKS = ['', '’', "'", '\u200b', '\u00ad', '\u0301', 'ʼ']

/** A word in a disguised spelling. */
const disguised = (plain: string) =>
  fc
    .tuple(
      ...[...plain].map((letter) =>
        fc.tuple(
          fc.constantFrom(letter, letter.toUpperCase(), ...(DISGUISES[letter] ?? [])),
          fc.constantFrom(...MARKS),
        ),
      ),
    )
    .map((parts) => parts.map(([letter, mark], index) => letter + (index < parts.length - 1 ? mark : '')).join(''))

describe('the word filter', () => {
  test('matches a word in any disguise', () => {
    const cases = word.chain((plain) => fc.tuple(fc.constant(plain), disguised(plain)))
    fc.assert(
      fc.property(cases, ([plain, dressed]) => {
        expect(findBadWord(`Ну й ${dressed}, правда`, ['інше слово', plain])).toBe(plain)
      }),
    )
  })

  test('matches a word whose letters are separated', () => {
    fc.assert(fc.property(word, (plain) => findBadWord([...plain].join(' '), [plain]) === plain))
  })

  test('does not match a longer word that contains the word', () => {
    fc.assert(
      fc.property(word, fc.string({ unit: letter, minLength: 1, maxLength: 3 }), (plain, more) => {
        expect(findBadWord(`${plain}${more}`, [plain])).toBeNull()
        expect(findBadWord(`${plain}${more}`, [`${plain}*`])).toBe(`${plain}*`)
      }),
    )
  })

  test('matches phrases, and nothing with an empty list', () => {
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
  ])('finds one in %s', (text) => {
    expect(hasLink(text)).toBe(true)
  })
  test.each(['Добре.Так', 'о 19.30', 'v1.2.3', 'кінець. Початок', 'пошта@', '3.14 і т.д.'])(
    'finds none in %s',
    (text) => {
      expect(hasLink(text)).toBe(false)
    },
  )

  test('are split from the text without changing it, and point to http(s) only', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom('javascript:alert(1)', '<b>', 'https://', '"'))),
        (parts) => {
          const text = parts.join(' ')
          const cut = splitLinks(text)
          expect(cut.map((part) => part.text).join('')).toBe(text)
          for (const part of cut) if (part.kind === 'link') expect(part.href).toMatch(/^https?:\/\//)
        },
      ),
    )
  })
})

describe('words of a text', () => {
  test.each([
    ['Дурень!', ['дурень']],
    ['!дурень|', ['дурень']],
    ['д у р е н ь', ['дурень']],
    ['а б', ['а', 'б']],
    ['я д у р ти', ['ядур', 'ти']],
    ['ти д у', ['ти', 'д', 'у']],
    ['мій їжак', ['мій', 'іжак']],
    ['кни\u0301га', ['книга']],
    ['! | ...', []],
    ['', []],
  ])('%j are %j', (text, words) => {
    expect(normalizeWords(text)).toEqual(words)
  })

  test('a separator before a forbidden word does not hide it, and one inside counts as a letter', () => {
    expect(findBadWord('@дурень', ['дурень'])).toBe('дурень')
    expect(findBadWord('$$дурень', ['дурень'])).toBe('дурень')
    expect(findBadWord('д@р', ['дар'])).toBe('дар')
    expect(findBadWord('дар@', ['дар'])).toBeNull()
  })

  test('the last word of a phrase may be a prefix, the others must be whole', () => {
    expect(findBadWord('швидкі гроші тут', ['швидк* грош*'])).toBeNull()
    expect(findBadWord('швидкі грошики', ['швидкі грош*'])).toBe('швидкі грош*')
    expect(findBadWord('швидкі', ['швидкі грош*'])).toBeNull()
    expect(findBadWord('швидко гроші', ['швидк грош*'])).toBeNull()
  })
})

test('an asterisk is a wildcard only at the end of a word', () => {
  expect(findBadWord('дурниця', ['дур*'])).toBe('дур*')
  expect(findBadWord('дурниця', ['дур* '])).toBe('дур* ')
  expect(findBadWord('дурниця', ['*дур'])).toBeNull()
})

test('punctuation before a word does not hide it, punctuation inside counts as letters', () => {
  expect(findBadWord('!!дурень', ['дурень'])).toBe('дурень')
  expect(findBadWord('ду!рень', ['дурень'])).toBeNull()
})

test('invisible characters do not hide a link', () => {
  expect(hasLink('kafedra.\u200bcom')).toBe(true)
})

test('an invalid address stays text', () => {
  expect(splitLinks('http://[bad')).toEqual([{ kind: 'text', start: 0, text: 'http://[bad' }])
})

test('an email address is not a link, and neither is a name before a zone', () => {
  for (const text of [
    'olena@school.com',
    'olena@kpi.edu.ua',
    'olena.me@school.com',
    '.com',
    'щось .com',
    'school.company',
  ])
    expect(hasLink(text), text).toBe(false)
  for (const text of [
    'my-school.com',
    'school.com!',
    'http://x',
    'www.x',
    'olena@kpi.edu.ua або school.com',
    'school.com@',
  ])
    expect(hasLink(text), text).toBe(true)
})

test('text is split before and after addresses, without trailing punctuation', () => {
  expect(splitLinks('див. https://a.ua/x, і (http://b.ua)')).toEqual([
    { kind: 'text', start: 0, text: 'див. ' },
    { kind: 'link', start: 5, text: 'https://a.ua/x', href: 'https://a.ua/x' },
    { kind: 'text', start: 19, text: ', і (' },
    { kind: 'link', start: 24, text: 'http://b.ua', href: 'http://b.ua/' },
    { kind: 'text', start: 35, text: ')' },
  ])
  expect(splitLinks('https://a.ua')).toEqual([{ kind: 'link', start: 0, text: 'https://a.ua', href: 'https://a.ua/' }])
  expect(splitLinks('')).toEqual([])
  expect(splitLinks('https://[ab')).toEqual([{ kind: 'text', start: 0, text: 'https://[ab' }])
})
