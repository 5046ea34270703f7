import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countWords, isSafeHref, LESSON_LIMITS, LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'

const words = (text: string, marks?: LessonNode['marks']): LessonNode => ({
  type: 'text',
  text,
  ...(marks ? { marks } : {}),
})
const paragraph = (...content: LessonNode[]): LessonNode => ({ type: 'paragraph', content })
const doc = (...content: LessonNode[]): LessonDoc => ({ type: 'doc', content })
const accepts = (value: unknown): boolean => LessonDoc.safeParse(value).success

const FILE = '/v1/file/01a1fbc8-ab31-71dc-9f85-29f843092a13'

describe('a lesson accepts', () => {
  const good: [string, LessonNode][] = [
    ['an empty paragraph', { type: 'paragraph' }],
    ['headings of three levels', { type: 'heading', attrs: { level: 4 }, content: [words('Так')] }],
    ['a picture of the storage', { type: 'image', attrs: { src: FILE, alt: '' } }],
    ['a link of the web', paragraph(words('так', [{ type: 'link', attrs: { href: 'https://example.com/a?b=c#d' } }]))],
    ['a path of the school', paragraph(words('так', [{ type: 'link', attrs: { href: '/courses' } }]))],
    [
      'a checklist',
      { type: 'taskList', content: [{ type: 'taskItem', attrs: { checked: true }, content: [paragraph(words('а'))] }] },
    ],
    [
      'a table',
      { type: 'table', content: [{ type: 'tableRow', content: [{ type: 'tableCell', content: [paragraph()] }] }] },
    ],
  ]
  test.each(good)('%s', (_, node) => expect(accepts(doc(node))).toBe(true))
})

describe('a lesson refuses', () => {
  const deep = (levels: number): LessonNode =>
    Array.from({ length: levels }).reduce<LessonNode>(
      (inner) => ({ type: 'blockquote', content: [inner] }),
      paragraph(),
    )
  const link = (href: string) => doc(paragraph(words('x', [{ type: 'link', attrs: { href } }])))
  const bad: [string, unknown][] = [
    ['nothing', null],
    ['text instead of a document', '<p>x</p>'],
    ['no blocks', doc()],
    ['an unknown node', doc({ type: 'script', content: [words('alert(1)')] })],
    ['an unknown mark', doc(paragraph(words('x', [{ type: 'style' }])))],
    ['a heading of level 1', doc({ type: 'heading', attrs: { level: 1 } })],
    ['a picture from elsewhere', doc({ type: 'image', attrs: { src: 'https://evil.example/x.png' } })],
    ['a picture as data', doc({ type: 'image', attrs: { src: 'data:image/svg+xml,<svg onload=alert(1)>' } })],
    ['a path that leaves the storage', doc({ type: 'image', attrs: { src: `${FILE}/../../x` } })],
    ['javascript:', link('javascript:alert(1)')],
    ['JaVaScRiPt: with a tab', link('java\tscript:alert(1)')],
    ['another host without a scheme', link('//evil.example')],
    ['another host by backslashes', link('/\\evil.example')],
    ['data:', link('data:text/html,x')],
    [
      'an item that begins with a table',
      doc({ type: 'bulletList', content: [{ type: 'listItem', content: [{ type: 'horizontalRule' }] }] }),
    ],
    ['too deep', doc(deep(LESSON_LIMITS.depth + 1))],
    ['absurdly deep', doc(deep(50_000))],
    ['too many nodes', doc(...Array.from({ length: LESSON_LIMITS.nodes + 1 }, () => paragraph()))],
    ['too long', doc(paragraph(words('а'.repeat(LESSON_LIMITS.characters + 1))))],
  ]
  test.each(bad)('%s', (_, value) => expect(accepts(value)).toBe(false))

  test('unknown attributes by dropping them', () => {
    const marked = LessonDoc.parse(link('https://example.com'))
    const dirty = LessonDoc.parse(
      doc(paragraph(words('x', [{ type: 'link', attrs: { href: 'https://example.com', onclick: 'x' } }]))),
    )
    expect(dirty).toEqual(marked)
  })
})

/** Elements, attributes and URLs that execute code and must not be in any tag. */
const DANGEROUS = /<(script|iframe|object|embed|svg|style|link|meta|base|form)\b|\son\w+\s*=|srcdoc|style=/i
const RUNS = /(href|src)="\s*(javascript|data|vbscript):/i

describe('the HTML of a lesson', () => {
  const hostile = fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    '</p><iframe src="javascript:alert(1)">',
    '&lt;script&gt;',
    '{{constructor}}',
    '\u202ecod.exe',
  )
  const text = fc.oneof(hostile, fc.string({ unit: 'binary', minLength: 1 })).filter((value) => value !== '')
  const leaf = text.map((value) => words(value))
  const { tree } = fc.letrec<{ tree: LessonNode; node: LessonNode }>((tie) => ({
    node: fc.oneof(
      leaf.map((inner) => paragraph(inner)),
      fc.record({ type: fc.constant('heading'), attrs: fc.record({ level: fc.anything() }), content: fc.array(leaf) }),
      fc.record({ type: fc.constant('image'), attrs: fc.record({ src: text, alt: text }) }),
      fc.record({ type: fc.constant('codeBlock'), attrs: fc.record({ language: text }), content: fc.array(leaf) }),
      fc.record({
        type: fc.constant('orderedList'),
        attrs: fc.record({ start: fc.anything() }),
        content: fc.array(tie('tree')),
      }),
      text.map((href) => paragraph(words('x', [{ type: 'link', attrs: { href } }, { type: href }]))),
      fc.record({ type: text, content: fc.array(tie('tree'), { maxLength: 2 }) }),
    ),
    tree: fc.oneof(
      { depthSize: 'small' },
      tie('node'),
      fc.record({ type: fc.constant('blockquote'), content: fc.array(tie('node'), { maxLength: 3 }) }),
    ),
  }))

  test('never contains executable markup, even of nodes the schema would refuse', () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 5 }), (content) => {
        const tags = renderLesson({ type: 'doc', content }).match(/<[^>]*>/g) ?? []
        return !tags.some((tag) => DANGEROUS.test(tag.replace(/="[^"]*"/g, '=""')) || RUNS.test(tag))
      }),
      { numRuns: 300 },
    )
  })

  test.each([[{ toString: 0 }], [Symbol('level')], [' 2'], [7]])('renders a heading of the level %o as h2', (level) => {
    const heading = { type: 'heading', attrs: { level }, content: [words('План')] }
    expect(renderLesson({ type: 'doc', content: [heading] })).toBe('<h2>План</h2>')
  })

  test('renders each node', () => {
    const html = renderLesson(
      doc(
        { type: 'heading', attrs: { level: 2 }, content: [words('План')] },
        paragraph(words('a', [{ type: 'bold' }, { type: 'italic' }]), { type: 'hardBreak' }, words('<b>')),
        {
          type: 'taskList',
          content: [{ type: 'taskItem', attrs: { checked: true }, content: [paragraph(words('т'))] }],
        },
        { type: 'image', attrs: { src: FILE, alt: 'Схема "сцени"' } },
        { type: 'codeBlock', attrs: { language: 'ts' }, content: [words('1 < 2')] },
      ),
    )
    expect(html).toContain('<h2>План</h2>')
    expect(html).toContain('<em><strong>a</strong></em><br />&lt;b&gt;')
    expect(html).toContain('type="checkbox"')
    expect(html).toContain('alt="Схема &quot;сцени&quot;"')
    expect(html).toContain('<code class="language-ts">1 &lt; 2</code>')
  })
})

test('counts the words of a text, and an image as one', () => {
  expect(countWords(doc(paragraph(words('Раз, два – три'))))).toBe(3)
  expect(countWords(doc({ type: 'image', attrs: { src: FILE } }))).toBe(1)
  expect(countWords(doc(paragraph()))).toBe(0)
})

test('a link may point to the web, an email address, a telephone number or the school', () => {
  const addresses = ['https://a.ua', 'http://a.ua/б', 'mailto:a@b.ua', 'tel:+380441112233', '/x', '#y']
  expect(addresses.map(isSafeHref)).toEqual(addresses.map(() => true))
  fc.assert(fc.property(fc.webUrl(), isSafeHref))
})
