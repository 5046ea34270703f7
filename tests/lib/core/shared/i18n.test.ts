import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringsFor, translator } from '#lib/core/i18n/i18n.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { speak } from '#lib/core/shared/text/strings.ts'

describe('the languages', () => {
  test('speak the specification’s words', () => {
    expect(translator('uk')('errors:required')).toBe("Це поле є обов'язковим")
    expect(translator('uk')('errors:credentials')).toBe('Облікові дані не знайдено в наших записах.')
  })

  test('never mix in concurrent use', async () => {
    const said = await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const locale = LOCALES[index % 2] ?? 'uk'
        const t = translator(locale)
        await new Promise(setImmediate)
        return { locale, words: t('shell:button.save') }
      }),
    )
    for (const { locale, words } of said) expect(words).toBe(locale === 'uk' ? 'Зберегти' : 'Save')
  })

  test('an island says the same as the server, for every count', () => {
    for (const locale of LOCALES) {
      const t = translator(locale)
      const say = speak(stringsFor(locale, 'shell'), locale)
      fc.assert(
        fc.property(fc.nat(2000), (count) => {
          expect(say('shell:table.selected', { count })).toBe(t('shell:table.selected', { count }))
        }),
      )
    }
  })

  test('count by CLDR: 111 is many, 21 is one', () => {
    const t = translator('uk')
    const word = (count: number) => t('shell:table.selected', { count }).split(' ').at(-1)
    expect([1, 2, 5, 11, 21, 111].map(word)).toEqual(['рядок', 'рядки', 'рядків', 'рядків', 'рядок', 'рядків'])
  })
})
