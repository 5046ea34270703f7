import { describe, expect, test } from 'vitest'
import { file, readTree, report } from './checks/source-tree.ts'
import { dictionaryOf } from './checks/strings.ts'
import { bannedTerms, metaphorsIn, needlessExceptions } from './checks/terms.ts'

const dictionary = (language: 'en' | 'uk', key: string, text: string) => [
  dictionaryOf(file(`public/locales/${language}/errors.json`, JSON.stringify({ [key]: text }))),
]
const reportOf = (language: 'en' | 'uk', text: string) => report(bannedTerms(dictionary(language, 'a', text))).join()

describe('in English', () => {
  test.each([
    ['Letters sent', 'Letters'],
    ['Choose a film', 'film'],
    ['Hand in by 19:00', 'Hand in'],
    ['Tell somebody', 'somebody'],
    ['{{count}} works are waiting', 'count}} works'],
    ['The status has changed meanwhile', 'meanwhile'],
    ['Profile of a student changed', 'Profile of a student'],
    ['Nothing to analyse yet', 'analyse'],
    ['Nobody has access yet', 'Nobody'],
    ['The test is not open', 'is not'],
    ['Duration, minutes', ', minutes'],
  ])('%j is rejected', (text, word) => {
    expect(reportOf('en', text)).toContain(`errors:a says “${word}”`)
  })

  test('letters and words that only contain a banned one are allowed', () => {
    expect(bannedTerms(dictionary('en', 'password_lower', 'Add a lowercase Latin letter'))).toEqual([])
    expect(reportOf('en', 'Subscribe to newsletters. This link works.')).toBe('')
  })
})

describe('in Ukrainian', () => {
  test.each([
    ['Виберіть файл зі сховища', 'сховища'],
    ['Фільми школи', 'Фільми'],
    ['Лише учні', 'учні'],
    ['Найближчі покази', 'покази'],
    ['Оберіть час', 'Оберіть'],
    ['Приберіть її в архів', 'Приберіть її в архів'],
    ['Скачати', 'Скачати'],
    ['Стовпчики по хвилинах', 'по хвилинах'],
    ['Роботу взяв(-ла) собі {{name}}', 'в(-ла)'],
    ['Ведучий так і не почав ефір', 'Ведучий так і не почав'],
    ['Студент прийняв запрошення', 'Студент прийняв'],
    ['Куратор відповів на вашу роботу', 'Куратор відповів'],
    ['Відмітити присутність', 'Відмітити'],
    ['Протерміновані завдання', 'Протерміновані'],
    ['Статус студента', 'Статус'],
    ['Кімната Kafedra', 'Kafedra'],
    ['Одразу після здачі', 'здачі'],
    ['Термін дії запрошення минув', 'Термін дії'],
    ['{{name}}, дякуємо', '{{name}}, '],
    ['Вітаємо, {{name}}!', 'Вітаємо, {{name'],
    ["Обов'язкове", "в'я"],
    ['Файл "План"', '"'],
    ['Порожньо – без обмеження', ' – '],
    ['Можна до 5 МБ', '5 МБ'],
  ])('%j is rejected', (text, word) => {
    expect(reportOf('uk', text)).toContain(`errors:a says “${word}`)
  })

  test('words that only begin or end like a banned one are allowed', () => {
    expect(reportOf('uk', 'Показує зображення, поступово, повернення коштів, запитання, «хто прийшов»')).toBe('')
    expect(reportOf('uk', 'Студентів додано. Роботу прийнято. {{name}}, {{at}}. 08:00–22:00')).toBe('')
  })
})

describe('the dictionaries', () => {
  const dictionaries = readTree('public/locales', /\.json$/).map(dictionaryOf)

  test('use the terms of docs/terms.md', () => {
    expect(dictionaries.length).toBeGreaterThan(40)
    expect(report(bannedTerms(dictionaries))).toEqual([])
  })

  test('need every exception', () => {
    expect(needlessExceptions(dictionaries)).toEqual([])
  })
})

describe('comments, test titles and documents', () => {
  test.each([
    [
      'src/lib/course/course.ts',
      '/**\n * Runs in a process of\n * its own.\n */\nexport const a = 1',
      'process of its own',
    ],
    ['src/pages/index.astro', '---\n// Fails for good.\n---\n<p />', 'for good'],
    ['src/styles/global.css', '/* The chat beside the stage. */', 'beside'],
    ['tests/lib/course/course.test.ts', "test('a save goes on', () => {})", 'goes on'],
    ['docs/ARCHITECTURE.md', 'Invalid rows are left out.', 'left out'],
  ])('a metaphor in %s is rejected', (path, source, words) => {
    expect(report(metaphorsIn(file(path, source))).join()).toContain(`says “${words}”`)
  })

  test('texts of the interface and words that only contain a banned one are allowed', () => {
    expect(metaphorsIn(file('src/lib/course/course.ts', "const a = 'Saved for good'"))).toEqual([])
    expect(metaphorsIn(file('docs/new-feature.md', 'The elapsed time is stored, besides the forgotten one.'))).toEqual(
      [],
    )
  })

  test('contain no metaphor', () => {
    const files = readTree('.', /\.(ts|tsx|astro|css|md)$/)
    expect(files.length).toBeGreaterThan(2000)
    expect(report(files.flatMap(metaphorsIn))).toEqual([])
  })
})
