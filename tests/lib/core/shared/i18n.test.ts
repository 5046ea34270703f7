import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getTranslator, stringsFor } from '#lib/core/i18n/i18n.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'

describe('translations', () => {
  test('contain the texts of the specification', () => {
    expect(getTranslator('uk')('errors:required')).toBe("Це поле є обов'язковим")
    expect(getTranslator('uk')('errors:credentials')).toBe('Облікові дані не знайдено в наших записах.')
  })

  test('are not mixed by concurrent requests', async () => {
    const texts = await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const locale = LOCALES[index % 2] ?? 'uk'
        const t = getTranslator(locale)
        await new Promise(setImmediate)
        return { locale, text: t('shell:button.save') }
      }),
    )
    for (const { locale, text } of texts) expect(text).toBe(locale === 'uk' ? 'Зберегти' : 'Save')
  })

  test('are the same in islands and on the server for every count', () => {
    for (const locale of LOCALES) {
      const t = getTranslator(locale)
      const browserT = createTranslator(stringsFor(locale, 'course'), locale)
      fc.assert(
        fc.property(fc.nat(2000), (count) => {
          expect(browserT('course:lessons', { count })).toBe(t('course:lessons', { count }))
        }),
      )
    }
  })

  test('use CLDR plural rules: 111 is many, 21 is one', () => {
    const t = getTranslator('uk')
    const word = (count: number) => t('course:lessons', { count }).split(' ').at(-1)
    expect([1, 2, 5, 11, 21, 111].map(word)).toEqual(['урок', 'уроки', 'уроків', 'уроків', 'урок', 'уроків'])
  })
})
