import { describe, expect, test } from 'vitest'
import { file, readCode, readTree, report } from './checks/source-tree.ts'
import {
  dictionaryOf,
  NAMESPACES,
  uncountedNouns,
  unequal,
  unknownKeys,
  unusedKeys,
  usageOf,
} from './checks/strings.ts'

const dictionary = (language: string, namespace: string, content: object) =>
  dictionaryOf(file(`public/locales/${language}/${namespace}.json`, JSON.stringify(content)))

const both = (content: object) => [dictionary('uk', 'course', content), dictionary('en', 'course', content)]
const code = (source: string) => [usageOf(file('src/pages/a.astro', `---\n${source}\n---`))]

describe('the rules', () => {
  test('a key that one language lacks', () => {
    const pair = [dictionary('uk', 'course', { a: 'А', b: 'Б' }), dictionary('en', 'course', { a: 'A' })]
    expect(report(unequal(pair))).toEqual(['public/locales/en/course.json: lacks course:b'])
  })

  test('a plural without all forms of its language', () => {
    const pair = [
      dictionary('uk', 'course', { lessons_one: 'урок', lessons_other: 'уроку' }),
      dictionary('en', 'course', { lessons_one: 'lesson', lessons_other: 'lessons' }),
    ]
    expect(report(unequal(pair)).join()).toContain('needs one, few, many, other')
  })

  test('a variable that the counterpart does not name', () => {
    const pair = [dictionary('uk', 'course', { a: '{{name}}' }), dictionary('en', 'course', { a: '{{title}}' })]
    expect(unequal(pair)).toHaveLength(2)
  })

  test('an empty text and a strange namespace', () => {
    expect(report(unequal(both({ a: ' ' }))).join()).toContain('is empty')
    const strange = [dictionary('uk', 'common', { a: 'А' }), dictionary('en', 'common', { a: 'A' })]
    expect(report(unequal(strange)).join()).toContain('is no namespace')
  })

  test('a key that code uses and no dictionary contains', () => {
    expect(report(unknownKeys(code(`t('course:list.none')`), both({ a: 'A' })))).toHaveLength(1)
    expect(report(unknownKeys(code(`t(\`course:status.\${status}\`)`), both({ a: 'A' })))).toHaveLength(1)
    expect(unknownKeys(code(`t('course:lessons', { count })`), both({ lessons_one: 'a', lessons_other: 'b' }))).toEqual(
      [],
    )
  })

  test('a key that is not used', () => {
    const content = { list: { title: 'A' }, status: { draft: 'A' }, taken: 'A', idle: 'A' }
    const source = `t('course:list.title'); t(\`course:status.\${s}\`); t(\`course:\${code}\`); refuse('taken')`
    expect(report(unusedKeys(code(source), both(content)))).toEqual([
      'public/locales/uk/course.json: course:idle is used nowhere',
    ])
  })
})

test('a number before a noun that has one form for all numbers', () => {
  const counted = (uk: object, en: object) => [dictionary('uk', 'course', uk), dictionary('en', 'course', en)]
  const texts = { a: '{{frames}} кадрів', b: '{{max}} нових студентів', c: 'Кадрів: {{count}}', d: 'за {{count}} с' }
  const wrong = counted(texts, {
    a: '{{frames}} frames',
    b: '{{max}} new students',
    c: 'Frames: {{count}}',
    d: '{{count}} s',
  })
  expect(report(uncountedNouns(wrong))).toHaveLength(4)
  const forms = {
    a_one: '{{count}} кадр',
    a_few: '{{count}} кадри',
    a_many: '{{count}} кадрів',
    a_other: '{{count}} кадру',
  }
  expect(uncountedNouns(counted(forms, { a_one: '{{count}} frame', a_other: '{{count}} frames' }))).toEqual([])
})

describe('the dictionaries', () => {
  const dictionaries = readTree('public/locales', /\.json$/).map(dictionaryOf)
  const usages = [...readCode('src'), ...readCode('scripts')].map(usageOf)

  test('are equal in both languages', () => {
    expect(NAMESPACES.length).toBeGreaterThan(20)
    expect(report(unequal(dictionaries))).toEqual([])
  })

  test('have plural forms for every noun that is counted', () => {
    expect(report(uncountedNouns(dictionaries))).toEqual([])
  })

  test('have every key that code uses', () => {
    expect(report(unknownKeys(usages, dictionaries))).toEqual([])
  })

  test('have no key that is not used', () => {
    expect(report(unusedKeys(usages, dictionaries))).toEqual([])
  })
})
