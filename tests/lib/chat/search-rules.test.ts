import { expect, test } from 'vitest'
import { excerptOf, searchedForm } from '#lib/chat/search/excerpt-rules.ts'
import { parseMessageQuery, problemOfQuery } from '#lib/chat/search/query-rules.ts'

const now = new Date('2026-11-24T22:30:00Z')
const parse = (text: string) => parseMessageQuery(text, { timeZone: 'Europe/Kyiv', now })
const EMPTY = { words: [], from: null, in: null, has: [], before: null, after: null, wrong: [] }

test.each([
  ['домашнє  завдання', { words: ['домашнє', 'завдання'] }],
  ['from:Оксана план', { from: 'Оксана', words: ['план'] }],
  ['від:«Оксана Коваль» has:link має:файл', { from: 'Оксана Коваль', has: ['link', 'file'] }],
  ['in:"Група 1" "точна фраза"', { in: 'Група 1', words: ['точна фраза'] }],
  ['before:2026-11-20 після:01.09', { before: '2026-11-20', after: '2026-09-01' }],
  // It is the 25th in Kyiv already; a day that is still to come is the one of the last year.
  ['before:сьогодні after:26.11', { before: '2026-11-25', after: '2025-11-26' }],
  ['has:чогось before:колись from:', { wrong: ['has:чогось', 'before:колись', 'from:'] }],
  ['https://example.com 10:30', { words: ['https://example.com', '10:30'] }],
])('%s', (text, expected) => {
  expect(parse(text)).toEqual({ ...EMPTY, ...expected })
})

test('a search needs a word, an author or a kind of content', () => {
  expect(
    ['слово', 'from:me', 'has:link', 'in:курс', 'before:2026-01-01', 'has:x'].map((text) =>
      problemOfQuery(parse(text)),
    ),
  ).toEqual([null, null, null, 'search_words', 'search_words', 'search_value'])
})

test('at most eight words are searched for, and a long query is parsed in linear time', () => {
  expect(parse('а '.repeat(100)).words).toHaveLength(8)
  expect(parse('"'.repeat(20_000)).words).toEqual([])
})

test('the excerpt begins near the first match and marks each', () => {
  expect(excerptOf('Об’єкт і обєкт', new Set([searchedForm("об'єкт")]))).toEqual([
    { text: 'Об’єкт', isMatch: true },
    { text: ' і ', isMatch: false },
    { text: 'обєкт', isMatch: true },
  ])
  const long = excerptOf(`${'слово '.repeat(60)}знахідка ${'хвіст '.repeat(60)}`, new Set([searchedForm('знахідка')]))
  expect(long.map(({ isMatch }) => isMatch)).toEqual([false, false, true, false])
  expect(long.map(({ text }) => text).join('').length).toBeLessThan(230)
  expect(excerptOf('нічого', new Set())).toEqual([{ text: 'нічого', isMatch: false }])
})
