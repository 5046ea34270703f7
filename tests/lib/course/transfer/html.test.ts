import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'
import { docFromHtml, type HtmlResolver } from '#lib/course/transfer/html.ts'
import { embedBlock } from '#lib/course/transfer/package/package-reader.ts'

const FILE = '01a1fbc8-ab31-71dc-9f85-29f843092a13'
const reading: HtmlResolver = {
  picture: (src) => (src.endsWith('.png') ? `/v1/file/${FILE}` : null),
  file: (href) => (href.endsWith('.pdf') ? { type: 'file', attrs: { fileId: FILE, name: 'memo.pdf' } } : null),
  frame: embedBlock,
}
const read = (html: string) => docFromHtml(html, reading)
const text = (words: string, ...marks: string[]): LessonNode =>
  marks.length > 0
    ? { type: 'text', text: words, marks: marks.map((type) => ({ type })) }
    : { type: 'text', text: words }

describe('HTML of other systems', () => {
  test('keeps headings, marks, lists, quotes, code and tables', () => {
    const html = `<h1>Тема</h1><h6>Дрібне</h6><p>  Слова <b>жирні <i>й похилі</i></b>
      далі<br>рядок </p><ol start="4"><li>раз<ul><li>два</li></ul></li></ol><blockquote>Цитата</blockquote>
      <pre>a
 b</pre><hr><table><tr><th colspan="2">А</th></tr><tr><td>1</td><td>2</td></tr></table>`
    expect(read(html).content).toMatchObject([
      { type: 'heading', attrs: { level: 2 } },
      { type: 'heading', attrs: { level: 4 } },
      {
        type: 'paragraph',
        content: [
          text('Слова '),
          text('жирні ', 'bold'),
          text('й похилі', 'bold', 'italic'),
          text(' далі'),
          { type: 'hardBreak' },
          text('рядок'),
        ],
      },
      {
        type: 'orderedList',
        attrs: { start: 4 },
        content: [{ content: [{ type: 'paragraph' }, { type: 'bulletList' }] }],
      },
      { type: 'blockquote', content: [{ type: 'paragraph' }] },
      { type: 'codeBlock', content: [text('a\n b')] },
      { type: 'horizontalRule' },
      { type: 'table', content: [{ content: [{ type: 'tableHeader', attrs: { colspan: 2 } }] }, {}] },
    ])
  })

  test('turns images and files into blocks, and frames only between blocks', () => {
    const video = '<iframe src="https://youtu.be/dQw4w9WgXcQ"></iframe>'
    const html = `<p>до <img src="a.png" alt=" Схема "> після</p><p><a href="m.pdf">Пам’ятка</a></p>${video}<blockquote>${video}</blockquote>`
    expect(read(html).content.map(({ type }) => type)).toEqual([
      'paragraph',
      'image',
      'paragraph',
      'paragraph',
      'file',
      'embed',
      'blockquote',
    ])
    expect(LessonDoc.safeParse(read(html)).success).toBe(true)
  })

  test('keeps text that is directly inside a list, and the address of a link around blocks', () => {
    expect(read('<ul>слово<li>раз</li><b>два</b></ul>').content).toMatchObject([
      {
        type: 'bulletList',
        content: ['слово', 'раз', 'два'].map((words) => ({
          content: [{ type: 'paragraph', content: [{ text: words }] }],
        })),
      },
    ])
    const marks = [{ type: 'link', attrs: { href: 'https://example.org/' } }]
    expect(read('<a href="https://example.org/"><h2>Тема</h2><p>далі <b>ще</b></p></a>').content).toMatchObject([
      { type: 'heading', content: [{ text: 'Тема', marks }] },
      {
        type: 'paragraph',
        content: [
          { text: 'далі ', marks },
          { text: 'ще', marks: [{ type: 'bold' }, ...marks] },
        ],
      },
    ])
  })

  test('is one empty paragraph when it is empty', () => {
    for (const html of ['', ' \n ', '<p></p>', '<script>alert(1)</script>', '<style>a{}</style>', '<!-- x -->']) {
      expect(read(html)).toEqual({ type: 'doc', content: [{ type: 'paragraph' }] })
    }
  })
})

const TAGS =
  'p div span b i code a h1 h3 ul ol li table tr td th blockquote pre img br hr iframe video source script svg math'
const attribute = fc.constantFrom(
  'onclick="alert(1)"',
  'href="javascript:alert(1)"',
  'href="https://example.org"',
  'src="x" onerror=alert(1)',
  'src="a.png"',
  'href="m.pdf"',
  'src="https://youtu.be/dQw4w9WgXcQ"',
  'src="data:text/html,<script>"',
  'colspan="99999"',
  'rowspan="-1"',
  'start="1e99"',
  'style="background:url(javascript:alert(1))"',
  'srcdoc="<script>"',
  '',
)
const tag = fc.tuple(fc.constantFrom(...TAGS.split(' ')), attribute)
const piece = fc.oneof(
  tag.map(([name, more]) => `<${name} ${more}>`),
  tag.map(([name]) => `</${name}>`),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('&lt;script&gt;', '&#0;', '&#x202e;', '<![CDATA[x]]>', '<!--', '-->', '<', '"', '\u0000', '\ud800'),
)

test('any HTML yields a valid lesson without active content', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const doc = read(pieces.join(''))
      const checked = LessonDoc.safeParse(doc)
      expect(checked.success, JSON.stringify(checked.error?.issues.slice(0, 2))).toBe(true)
      expect(renderLesson(doc)).not.toMatch(/<(script|iframe|svg|math|style)|\son\w+=|javascript:|srcdoc/i)
    }),
    { seed: 45, numRuns: 400 },
  )
})

test('depth and length exhaust neither the stack nor the time', () => {
  const deep = `${'<blockquote>'.repeat(3000)}слово`
  expect(LessonDoc.safeParse(read(deep)).success).toBe(true)
  expect(read('<p>слово</p>'.repeat(20_000)).content).toHaveLength(20_000)
})
