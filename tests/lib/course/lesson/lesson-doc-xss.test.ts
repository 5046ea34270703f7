import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { renderLesson, renderParts } from '#lib/course/lesson/render.ts'
import type { RenderContext } from '#lib/course/lesson/render-context.ts'

const ID = '01a1fbc8-ab31-71dc-9f85-29f843092a13'

/** Known techniques of script injection, after the OWASP filter evasion list and html5sec. */
const CORPUS = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example/x.js></sCrIpT>',
  '<script\x20type="text/javascript">alert(1);</script>',
  '<<SCRIPT>alert(1);//<</SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)"',
  '<IMG """><SCRIPT>alert(1)</SCRIPT>">',
  '<img src=`x` onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '" onmouseover="alert(1)',
  "' autofocus onfocus='alert(1)",
  '` onclick=`alert(1)`',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><img src onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<body onload=alert(1)>',
  '<video><source onerror="alert(1)">',
  '<audio src=x onerror=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<style>@import "//evil.example/x.css";</style>',
  '<div style="background:url(javascript:alert(1))">',
  '<a href="javascript:alert(1)">x</a>',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  '//evil.example/x',
  '/\\evil.example/x',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ"onload="alert(1)',
  '</p></div><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><x onclick=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<title><img title="</title><img src=x onerror=alert(1)>">',
  '<xmp><img title="</xmp><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<select><template><style><!--</style><img src=x onerror=alert(1)>-->',
  '<table background="javascript:alert(1)">',
  '<p id="__proto__">',
  '<form id=location>',
  '\u2028<script>alert(1)</script>',
  '\ufeff<script>alert(1)</script>',
  '\u202e<script>',
  '{{constructor.constructor("alert(1)")()}}',
  '$\u007balert(1)}',
] as const

const text = (words: string, marks?: LessonNode['marks']): LessonNode => ({
  type: 'text',
  text: words,
  ...(marks ? { marks } : {}),
})
const paragraph = (...content: LessonNode[]): LessonNode => ({ type: 'paragraph', content })

/** Every attribute and text of a document. */
const places: [string, (evil: string) => LessonNode][] = [
  ['words', (evil) => paragraph(text(evil))],
  ['a heading', (evil) => ({ type: 'heading', attrs: { level: evil }, content: [text(evil)] })],
  ['a link', (evil) => paragraph(text(evil, [{ type: 'link', attrs: { href: evil, onclick: evil } }]))],
  ['a mark', (evil) => paragraph(text(evil, [{ type: evil }]))],
  ['code', (evil) => ({ type: 'codeBlock', attrs: { language: evil }, content: [text(evil)] })],
  ['a picture', (evil) => ({ type: 'image', attrs: { src: evil, alt: evil } })],
  ['a picture’s words', (evil) => ({ type: 'image', attrs: { src: `/v1/file/${ID}`, alt: evil } })],
  ['a gallery', (evil) => ({ type: 'gallery', content: [{ type: 'image', attrs: { src: evil, alt: evil } }] })],
  ['a list', (evil) => ({ type: 'orderedList', attrs: { start: evil }, content: [paragraph(text(evil))] })],
  ['a checklist', (evil) => ({ type: 'taskItem', attrs: { checked: evil }, content: [paragraph(text(evil))] })],
  [
    'a cell',
    (evil) => ({ type: 'tableCell', attrs: { colspan: evil, rowspan: evil }, content: [paragraph(text(evil))] }),
  ],
  ['a video', (evil) => ({ type: 'video', attrs: { fileId: evil } })],
  ['a file', (evil) => ({ type: 'file', attrs: { fileId: ID, name: evil } })],
  ['a PDF', (evil) => ({ type: 'pdf', attrs: { fileId: evil, name: evil } })],
  ['an embed', (evil) => ({ type: 'embed', attrs: { url: evil, title: evil } })],
  [
    'an embed’s title',
    (evil) => ({ type: 'embed', attrs: { url: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', title: evil } }),
  ],
  ['a callout', (evil) => ({ type: 'callout', attrs: { tone: evil }, content: [paragraph(text(evil))] })],
  ['a button', (evil) => ({ type: 'button', attrs: { label: evil, href: evil } })],
  ['a button’s words', (evil) => ({ type: 'button', attrs: { label: evil, href: 'https://example.com' } })],
  ['columns', (evil) => ({ type: 'columns', content: [{ type: 'column', content: [paragraph(text(evil))] }] })],
  ['an upload', (evil) => ({ type: 'upload', attrs: { key: evil, fileId: ID, name: evil } })],
  ['a slot', (evil) => ({ type: 'test', attrs: { testId: evil } })],
  ['an unknown node', (evil) => ({ type: evil, attrs: { [evil]: evil }, content: [text(evil)] })],
]

const file = { kind: 'doc', mime: 'application/pdf', size: 1, open: '/o', download: '/d' } as const

/** All renderers of rich text: a lesson for staff, for students, in parts, and a description, an answer, a task. */
const renderers: [string, (doc: LessonDoc, evil: string) => string][] = [
  ['a lesson or a description as staff see it', (doc) => renderLesson(doc)],
  ['a text with pictures', (doc) => renderLesson(doc, pictures)],
  ['a lesson with its files', (doc, evil) => renderLesson(doc, shown(evil))],
  [
    'a lesson in parts',
    (doc, evil) =>
      renderParts(doc, shown(evil))
        .map((part) => (part.kind === 'html' ? part.html : ''))
        .join(''),
  ],
]

const pictures = new Map([[ID, { src: '/p', avif: '/p 320w', webp: '', width: 1, height: 1 }]])
const shown = (name: string): RenderContext => ({
  pictures,
  files: new Map([[ID, { ...file, name }]]),
  t: getTranslator('uk'),
  locale: 'uk',
})

const ELEMENTS = new Set(
  'p h2 h3 h4 ul ol li input div span blockquote pre code hr br picture source img table tbody tr th td strong em s u a'.split(
    ' ',
  ),
)
const ATTRIBUTES =
  /^(class|href|rel|target|download|src|srcset|sizes|type|alt|loading|decoding|width|height|start|id|role|tabindex|checked|disabled|colspan|rowspan|aria-labelledby|data-(type|checked|tone|count|embed|slot))$/
const ADDRESS = /^(https?:\/\/[^/\\\s]|mailto:|tel:|\/(?![/\\])|#)/i

/** Parses HTML like a browser and returns the dangerous parts. */
function dangersOf(html: string): string[] {
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!ELEMENTS.has(name)) found.push(`<${name}>`)
      if (name === 'input' && attributes.type !== 'checkbox') found.push(`input ${attributes.type}`)
      for (const [key, value] of Object.entries(attributes)) {
        if (!ATTRIBUTES.test(key)) found.push(`${name} ${key}`)
        if (/^(href|src|data-embed)$/.test(key) && !ADDRESS.test(value)) found.push(`${name} ${key}=${value}`)
        if (key === 'data-embed' && !/^https:\/\/(www\.youtube-nocookie|player\.vimeo)\.com\//.test(value))
          found.push(value)
      }
    },
    oncomment: (words) => found.push(`comment ${words}`),
    onprocessinginstruction: (name) => found.push(`instruction ${name}`),
  })
  parser.end(html)
  return found
}

describe.each(renderers)('%s', (_, draw) => {
  test.each(places)('executes nothing of the corpus in %s', (_place, build) => {
    for (const evil of CORPUS) {
      const html = draw({ type: 'doc', content: [build(evil)] }, evil)
      expect({ evil, dangers: dangersOf(html) }).toEqual({ evil, dangers: [] })
    }
  })
})

test('the corpus would be detected when executed', () => {
  const noticed = CORPUS.filter((evil) => evil.startsWith('<') && dangersOf(evil).length > 0)
  expect(noticed.length).toBeGreaterThan(40)
})

test('URLs of the corpus are refused at input', () => {
  const links = CORPUS.filter((evil) => /script:|^data:|^\/[/\\]/i.test(evil))
  const kept = links.filter(
    (href) => LessonDoc.safeParse({ type: 'doc', content: [{ type: 'button', attrs: { label: 'x', href } }] }).success,
  )
  expect(kept).toEqual([])
})
