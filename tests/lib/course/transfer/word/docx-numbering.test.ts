import { expect, test } from 'vitest'
import { parseHtml } from '#lib/course/transfer/markup.ts'
import { withListNumbers, withListStarts } from '#lib/course/transfer/word/docx-numbering.ts'

const item = (list: number, level: number, text: string) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const text = '<w:p><w:pPr></w:pPr><w:r><w:t>between</w:t></w:r></w:p>'

/** The numbers of the marked items by their texts. */
const numbersIn = (xml: string) =>
  [...withListNumbers(xml).matchAll(/\ue010(\d+)\ue011<\/w:t><\/w:r><w:r><w:t>([^<]*)/g)].map(([, number, name]) => [
    name,
    Number(number),
  ])

test('a numbering continues after other paragraphs', () => {
  const xml = [item(1, 0, 'a'), item(1, 0, 'b'), text, item(1, 0, 'c'), item(1, 1, 'c1'), text, item(1, 1, 'c2')]
  expect(numbersIn(xml.join(''))).toEqual([
    ['c', 3],
    ['c2', 2],
  ])
  expect(numbersIn([item(1, 0, 'a'), item(2, 0, 'x'), item(1, 0, 'b')].join(''))).toEqual([['b', 2]])
  expect(numbersIn([item(1, 0, 'a'), item(1, 1, 'a1'), item(1, 0, 'b'), text, item(1, 1, 'b1')].join(''))).toEqual([])
})

test('a list starts at the number of its first item, and no mark remains', () => {
  const html = '<ol><li>\ue0103\ue011c<ol><li>c1</li></ol></li><li>d</li></ol><ul><li>\ue0102\ue011x</li></ul>'
  const nodes = withListStarts(parseHtml(html).children)
  expect(nodes[0]).toMatchObject({ name: 'ol', attributes: { start: '3' } })
  expect(JSON.stringify(nodes)).not.toMatch(/[\ue010\ue011]/)
  expect(JSON.stringify(nodes).match(/"start"/g)).toHaveLength(1)
})
