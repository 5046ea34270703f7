import { expect, test } from 'vitest'
import { availableBlocks, findBlocks } from '#islands/editor/blocks/catalogue.ts'
import { flattenStrings } from '#islands/stores/flatten-strings.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import ukWords from '#locales/uk/editor.json'

const t = createTranslator(flattenStrings(ukWords, 'editor:'), 'uk')
const lesson = {
  createTask: async () => '',
  findTask: async () => null,
  openTask: () => undefined,
  listTests: async () => [],
  findTest: async () => null,
  testsHref: '',
  openCaptions: () => undefined,
}
const choices = availableBlocks({ t, locale: 'uk', lesson, files: true, media: true })
const found = (typed: string) => findBlocks(choices, typed, t).map(({ name }) => name)

test.each([
  ['вино', 'callout'],
  ['дві колонки', 'columns2'],
  ['Дві  кол', 'columns2'],
  ['колонки дві', 'columns2'],
  ['two columns', 'columns2'],
  ['video', 'video'],
  ['відео', 'video'],
  ['Image', 'image'],
  ['нумерований сп', 'orderedList'],
])('«/%s» finds a block by its words in both languages', (typed, name) => {
  expect(found(typed)[0]).toBe(name)
})

test('finds nothing for words that match no block', () => {
  expect(found('10 осіб')).toEqual([])
})

test('offers every block before anything is typed', () => {
  expect(found('')).toHaveLength(choices.length)
})
