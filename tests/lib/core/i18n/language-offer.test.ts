import { expect, test } from 'vitest'
import { offeredLocale } from '#lib/core/i18n/language-offer.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'

test.each([
  ['en-US,en;q=0.9', 'uk', 'en'],
  ['en', 'uk', 'en'],
  ['uk-UA,uk;q=0.9,en;q=0.8', 'en', 'uk'],
  ['uk-UA,uk;q=0.9,en;q=0.8', 'uk', null],
  ['ru-UA,ru;q=0.9,uk;q=0.8,en;q=0.7', 'uk', null],
  ['pl-PL,pl;q=0.9,en-US;q=0.8', 'uk', 'en'],
  ['de-DE', 'uk', 'en'],
  ['de-DE', 'en', null],
  ['uk;q=0.2, en;q=0.9', 'uk', 'en'],
  ['en;q=0, uk', 'uk', null],
  ['EN-gb', 'uk', 'en'],
  ['*', 'uk', null],
  ['', 'uk', null],
  [null, 'uk', null],
  ['ук, 💥;q=x, <script>', 'uk', null],
  [`${'x-'.repeat(5000)}en`, 'uk', null],
] as const)('a browser with %s is offered, on a page in %s, %s', (header, current, offered) => {
  expect(offeredLocale(header, current)).toBe(offered)
})

test('every language of the installation is offered to its browsers on pages in another one', () => {
  for (const locale of LOCALES)
    for (const current of LOCALES)
      expect(offeredLocale(`${locale}-XX`, current)).toBe(locale === current ? null : locale)
})
