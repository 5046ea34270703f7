import fs from 'node:fs'
import fc from 'fast-check'
import { createInstance } from 'i18next'
import { describe, expect, test } from 'vitest'
import { getTranslator, stringsFor } from '#lib/core/i18n/i18n.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
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

describe('the translation function of the server', () => {
  test.each(LOCALES)('fills variables and chooses plurals exactly as i18next does, in %s', async (locale) => {
    const namespaces = fs.readdirSync(`public/locales/${locale}`).map((name) => name.slice(0, -'.json'.length))
    const resources: Record<string, Record<string, unknown>> = { uk: {}, en: {} }
    for (const language of LOCALES)
      for (const name of namespaces)
        resources[language] = {
          ...resources[language],
          [name]: JSON.parse(fs.readFileSync(`public/locales/${language}/${name}.json`, 'utf8')),
        }
    const i18next = createInstance()
    const options = { lng: locale, fallbackLng: 'en', ns: namespaces, interpolation: { escapeValue: false } }
    await i18next.init({ ...options, resources, showSupportNotice: false } as Parameters<typeof i18next.init>[0])
    const t = getTranslator(locale)
    let compared = 0
    for (const [key, text] of Object.entries(stringsFor(locale, ...namespaces))) {
      const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)
      if (names.length === 0 || text.includes(', bytes}}')) continue
      const base = key.replace(/_(one|few|many|other)$/, '')
      for (const count of [0, 1, 2, 5, 11, 21, 1.5]) {
        const variables = { ...Object.fromEntries(names.map((name) => [name, `<${name}>`])), count }
        expect(t(keyFrom(base), variables), base).toBe(i18next.t(base, variables))
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(1000)
  })
})

test.each(['uk', 'en'] as const)('a value that ends with a period ends the sentence (%s)', (locale) => {
  const t = createTranslator({ until: 'До {{date}}. Далі', dots: '{{date}}...', list: '{{date}}, {{date}}' }, locale)
  const date = '24 грудня 2026 р.'
  expect(t(keyFrom('until'), { date })).toBe('До 24 грудня 2026 р. Далі')
  expect(t(keyFrom('until'), { date: '24.12' })).toBe('До 24.12. Далі')
  expect(t(keyFrom('dots'), { date: 'a.' })).toBe('a....')
  expect(t(keyFrom('list'), { date })).toBe('24 грудня 2026 р., 24 грудня 2026 р.')
})
