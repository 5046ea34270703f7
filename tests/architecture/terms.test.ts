import { expect, test } from 'vitest'
import { file, readTree, report } from './checks/source-tree.ts'
import { dictionaryOf } from './checks/strings.ts'
import { bannedTerms } from './checks/terms.ts'

const english = (key: string, text: string) => [
  dictionaryOf(file('public/locales/en/errors.json', JSON.stringify({ [key]: text }))),
]

test.each([
  ['Letters sent', 'Letters'],
  ['Choose a film', 'film'],
  ['Hand in by 19:00', 'Hand in'],
  ['Tell somebody', 'somebody'],
  ['{{count}} works are waiting', 'count}} works'],
])('%j is rejected', (text, word) => {
  expect(report(bannedTerms(english('a', text))).join()).toContain(`errors:a message “${word}”`)
})

test('a letter of the alphabet and words that only contain a banned one are allowed', () => {
  expect(bannedTerms(english('password_lower', 'Add a lowercase Latin letter'))).toEqual([])
  expect(bannedTerms(english('a', 'Subscribe to newsletters. This link works.'))).toEqual([])
})

test('English texts use the terms of docs/terms.md', () => {
  expect(
    report(
      readTree('public/locales/en', /\.json$/)
        .map(dictionaryOf)
        .flatMap((one) => bannedTerms([one])),
    ),
  ).toEqual([])
})
