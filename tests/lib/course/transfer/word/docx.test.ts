import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DocumentSplit } from '#lib/core/shared/learning.ts'
import { parseHtml, textContent } from '#lib/course/transfer/markup.ts'
import { readPackage } from '#lib/course/transfer/package/read-package.ts'
import { withLinearMath } from '#lib/course/transfer/word/docx-math.ts'
import { separatePages, withPageBreaks } from '#lib/course/transfer/word/docx-pages.ts'
import { defaultSplit, splitDocument } from '#lib/course/transfer/word/docx-split.ts'
import { titleText } from '#lib/course/transfer/word/docx-titles.ts'
import { docxOf, PIXEL, paragraph } from '../../../../setup/course/packages.ts'

const run = (text: string) => `<m:r><w:rPr/><m:t>${text}</m:t></m:r>`
const power = (base: string, to: string) => `<m:sSup><m:e>${run(base)}</m:e><m:sup>${run(to)}</m:sup></m:sSup>`

describe('a formula of Word', () => {
  test('is imported as text in its place', () => {
    const root = `<m:rad><m:radPr/><m:deg/><m:e>${power('b', '2')}${run('−4ac')}</m:e></m:rad>`
    const fraction = `<m:f><m:num>${run('−b±')}${root}</m:num><m:den>${run('2a')}</m:den></m:f>`
    const xml = `<w:p><m:oMathPara><m:oMath>${run('x=')}${fraction}</m:oMath></m:oMathPara><w:r><w:t>далі</w:t></w:r></w:p>`
    expect(withLinearMath(xml)).toBe(
      '<w:p><w:r><w:t xml:space="preserve">x=(−b±√(b²−4ac))/(2a)</w:t></w:r><w:r><w:t>далі</w:t></w:r></w:p>',
    )
  })

  test('contains sums, indices and brackets, and no markup', () => {
    const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup><m:e>${power('x', 'ij')}</m:e></m:nary>`
    const bracket = `<m:d><m:e>${run('a &lt; b')}</m:e></m:d>`
    expect(withLinearMath(`<m:oMath>${sum}${bracket}</m:oMath>`)).toContain('∑_(i=1)ⁿ x^(ij)(a &lt; b)')
  })
})

describe('a title of a Word document', () => {
  test('has no footnote marks', () => {
    const [heading] = parseHtml('<h1>Січ<sup><a href="#footnote-1" id="footnote-ref-1">[1]</a></sup></h1>').children
    expect(titleText(heading)).toBe('Січ')
  })
})

const LONG = `<p>${'слово '.repeat(300)}</p>`
const bold = (text: string) => `<p><strong>${text}</strong></p>`
const BREAK = '<br class="page">'

/** Titles of the lessons that are created from a document; null for a lesson without a title. */
function lessonsOf(html: string, split?: DocumentSplit) {
  const body = separatePages(parseHtml(html).children)
  return splitDocument(body, split ?? defaultSplit(body)).map(({ title }) => title)
}

describe('a Word document', () => {
  test('is split at headings of the highest level, whatever else it contains', () => {
    const html = `<h2>Перша</h2>${bold('Жирна')}${LONG}<h3>Нижча</h3><h2>Друга</h2>${bold('Жирна')}${LONG}`
    expect(lessonsOf(html)).toEqual(['Перша', 'Друга'])
    expect(lessonsOf(html, 'bold')).toEqual([null, 'Жирна', 'Жирна'])
    expect(lessonsOf(html, 'none')).toEqual([null])
  })

  test('with two levels of headings can be split into modules of lessons', () => {
    const module = (name: string) => `<h1>${name}</h1><h2>${name} a</h2><p>x</p><h3>part</h3><h2>${name} b</h2><p>y</p>`
    const html = `<p>Before</p>${module('One')}<h1>Two</h1><p>Introduction</p><h2>Two a</h2><p>x</p>`
    const parts = splitDocument(separatePages(parseHtml(html).children), 'modules')
    expect(parts.map(({ module: name, title }) => [name, title])).toEqual([
      [null, null],
      ['One', 'One a'],
      ['One', 'One b'],
      ['Two', 'Two'],
      ['Two', 'Two a'],
    ])
    expect(lessonsOf(`${module('One')}<h1>Two</h1><p>x</p>`, 'modules')).toEqual([])
  })

  test('without headings is split at bold lines, then numbered titles, then pages, when it is long', () => {
    const lines = `${bold('Перша')}${LONG}${bold('Друга')}<p><strong>ні</strong> це</p>${LONG}`
    expect(lessonsOf(lines)).toEqual(['Перша', 'Друга'])
    expect(lessonsOf(`${bold('Перша')}${bold('Друга')}`)).toEqual([null])
    expect(lessonsOf(`<p>Тема 1. Дихання</p>${LONG}<p>1. Вправа</p><p>Тема 2. Звук</p>${LONG}`)).toEqual([
      'Тема 1. Дихання',
      'Тема 2. Звук',
    ])
    expect(lessonsOf(`<p>Початок</p>${LONG}<p>${BREAK}Кінець</p>${LONG}`)).toEqual(['Початок', 'Кінець'])
    expect(lessonsOf(`${LONG}${LONG}`)).toEqual([null])
  })

  test('has numbered titles of one level, numbers of Word itself included', () => {
    const html = '<p>1. Вступ</p><p>1.1 Мета</p><p>12 студентів прийшли</p><p>2. Звук</p><p>2.1 Вправа</p>'
    expect(lessonsOf(html, 'numbered')).toEqual(['1. Вступ', '2. Звук'])
    const lists = '<ol><li>Вступ</li></ol><p>Текст</p><ol><li>Звук</li></ol><ol><li>раз</li><li>два</li></ol>'
    expect(lessonsOf(lists, 'numbered')).toEqual(['Вступ', 'Звук'])
    expect(lessonsOf('<p>1. Один</p>', 'numbered')).toEqual([null])
  })

  test('names a page by its first words and loses nothing of it', () => {
    const body = separatePages(
      parseHtml(`<p>Титул</p><p>до<strong>${BREAK}після</strong></p><p>${BREAK}</p><ul><li>а${BREAK}</li></ul>`)
        .children,
    )
    const parts = splitDocument(body, 'pages')
    expect(parts.map(({ title, nodes }) => [title, nodes.map(textContent).join('|')])).toEqual([
      ['Титул', 'до'],
      ['після', ''],
      ['а', '|а'],
    ])
    expect(JSON.stringify(parts)).not.toContain('"page"')
  })

  test('ends pages where a paragraph has a page break before or a section ends', () => {
    const paragraph = (properties: string) => `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>а</w:t></w:r></w:p>`
    const breaks = (properties: string) =>
      withPageBreaks(paragraph(properties)).split('<w:br w:type="page"/>').length - 1
    expect(breaks('<w:pageBreakBefore/>')).toBe(1)
    expect(breaks('<w:pageBreakBefore w:val="0"/>')).toBe(0)
    expect(breaks('<w:sectPr><w:pgSz/></w:sectPr>')).toBe(1)
    expect(breaks('<w:sectPr><w:type w:val="continuous"/></w:sectPr>')).toBe(0)
    const text = paragraph('<w:sectPr/>') + paragraph('')
    expect(withPageBreaks(text).indexOf('w:br')).toBeGreaterThan(withPageBreaks(text).indexOf('<w:t>а'))
  })
})

describe('content of a Word document without an equivalent', () => {
  test('is listed: headers with their length, links and images, and unplaced images', async () => {
    const relations = `<Relationships><Relationship Id="r1" Type="http://x/image" Target="media/logo.png"/><Relationship Id="r2" Type="http://x/hyperlink" Target="https://example.org"/></Relationships>`
    const bytes = docxOf(paragraph('Текст'), [
      {
        name: 'word/header1.xml',
        bytes: '<w:hdr><w:p><w:r><w:t>Школа</w:t></w:r><w:r><w:tab/><w:t>Голос</w:t></w:r></w:p></w:hdr>',
      },
      { name: 'word/footer1.xml', bytes: '<w:ftr><w:p/></w:ftr>' },
      { name: 'word/_rels/header1.xml.rels', bytes: relations },
      { name: 'word/media/logo.png', bytes: PIXEL },
    ])
    expect((await read(bytes)).notes).toEqual([
      { kind: 'pageHeader', title: 'Школа Голос', characters: 11, links: 1, files: 1 },
      { kind: 'filesUnused', title: '1.png', files: 1 },
    ])
  })

  test('does not include its formulas, in the text, in footnotes, and with attributes', async () => {
    const xml = `<w:p><m:oMath xmlns:m="http://m"><m:r><m:t>a+b</m:t></m:r></m:oMath></w:p><w:p><m:oMath/><m:oMathPara x="1"><m:oMath ><m:f><m:num><m:r><m:t>70</m:t></m:r></m:num><m:den><m:r><m:t>n</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></w:p>`
    expect(parseHtml(withLinearMath(xml)).children.map(textContent)).toEqual(['a+b', '70/n'])
    expect(withLinearMath(`<m:oMath>${power('x', 'constructor')}</m:oMath>`)).toContain('x^(constructor)')
  })

  test('does not include tables wider than a lesson can hold', async () => {
    const cells = Array.from({ length: 25 }, (_, index) => `<w:tc><w:p><w:r><w:t>к${index}</w:t></w:r></w:p></w:tc>`)
    const { modules } = await read(docxOf(`<w:tbl><w:tr>${cells.join('')}</w:tr></w:tbl>`))
    expect(JSON.stringify(modules)).toContain('к24')
  })
})

async function read(bytes: Buffer) {
  const folder = await mkdtemp(path.join(tmpdir(), 'docx-'))
  const file = path.join(folder, 'a.docx')
  await writeFile(file, bytes)
  try {
    return await readPackage({ path: file, name: 'a.docx' }, folder, { notPlaced: '', files: '' })
  } finally {
    await rm(folder, { recursive: true })
  }
}
