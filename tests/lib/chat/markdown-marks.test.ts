import { expect, test } from 'vitest'
import { inlineText, parseInline } from '#lib/chat/message/inline-rules.ts'
import { messagePlainText, parseMarkdown } from '#lib/chat/message/markdown-rules.ts'
import { SendMessage } from '#lib/chat/schema.ts'

/** The addresses of the links of a line, as they are shown. */
const links = (text: string) => parseInline(text).flatMap((part) => (part.type === 'link' ? [part.text] : []))
const marks = (text: string) =>
  parseInline(text).flatMap((part) => ('content' in part ? [[part.type, inlineText(part.content)]] : []))

test.each([
  ['https://uk.wikipedia.org/wiki/Київ_(значення)', 'https://uk.wikipedia.org/wiki/Київ_(значення)'],
  ['(див. https://uk.wikipedia.org/wiki/Київ_(значення)).', 'https://uk.wikipedia.org/wiki/Київ_(значення)'],
  ['(див. https://a.b/c), далі', 'https://a.b/c'],
  ['«https://a.b/c»', 'https://a.b/c'],
  ['«https://a.b/c», а також', 'https://a.b/c'],
  ['“https://a.b/c”.', 'https://a.b/c'],
  ["'https://a.b/c'", 'https://a.b/c'],
  ['"https://a.b/c"', 'https://a.b/c'],
  ['[https://a.b/c]', 'https://a.b/c'],
  ["https://uk.wikipedia.org/wiki/П'ять", "https://uk.wikipedia.org/wiki/П'ять"],
  ['https://a.b/«назва»', 'https://a.b/«назва»'],
  ['https://a.b/c_d_e*f*g', 'https://a.b/c_d_e*f*g'],
  ['https://a.b/?q[]=1&x=~y', 'https://a.b/?q[]=1&x=~y'],
  ['HTTPS://A.B/c!', 'HTTPS://A.B/c'],
  ['www.kafedra.ua/kurs.', 'www.kafedra.ua/kurs'],
  ['**https://a.b/c**', undefined],
])('the link of %s is %s', (text, address) => {
  expect(links(text)).toEqual(address === undefined ? [] : [address])
  expect(messagePlainText(text)).toBe(text.replaceAll('**https', 'https').replace('c**', 'c'))
})

test('a named link keeps parentheses in its address and an escaped bracket in its name', () => {
  expect(parseInline('[Київ](https://uk.wikipedia.org/wiki/Київ_(значення)).')).toMatchObject([
    { type: 'link', text: 'Київ', href: encodeURI('https://uk.wikipedia.org/wiki/Київ_(значення)') },
    { type: 'text', text: '.' },
  ])
  expect(links('[**а** \\[1\\]](https://a.b/c)')).toEqual(['а [1]'])
})

test.each([
  '2*3*4',
  '2**3**4',
  '__init__',
  'def __init__(self): _x',
  'snake_case_name',
  '5 * 3 * 2',
  'f(*args, **kwargs)',
  '~5~ і a~~b~~c',
  '****',
  'C:\\Users\\Ім’я',
  '10 ~ 20',
])('%s stays as typed', (text) => {
  expect(parseInline(text)).toEqual([{ type: 'text', text }])
})

test.each([
  [
    '**жирний** і *курсив*, _теж_.',
    [
      ['bold', 'жирний'],
      ['italic', 'курсив'],
      ['italic', 'теж'],
    ],
  ],
  ['~~старе~~ нове', [['strike', 'старе']]],
  ['***обидва***', [['bold', 'обидва']]],
  ['**a *c***', [['bold', 'a c']]],
  ['*a **c***', [['italic', 'a c']]],
  ['(*в дужках*)', [['italic', 'в дужках']]],
  ['**2*3*4**', [['bold', '2*3*4']]],
  ['*див. `*` і https://a.b/x*', [['italic', 'див. * і https://a.b/x']]],
])('the marks of %s', (text, expected) => {
  expect(marks(text)).toEqual(expected)
})

test('a backslash takes the meaning from a mark', () => {
  expect(parseInline('\\*не курсив\\* \\_x\\_ \\~~y\\~~ \\`z\\` \\[a](https://a.b) \\\\')).toMatchObject([
    { type: 'text', text: '*не курсив* _x_ ~~y~~ `z` [a](' },
    { type: 'link' },
    { type: 'text', text: ') \\' },
  ])
  expect(marks('*a\\* b*')).toEqual([['italic', 'a* b']])
  expect(messagePlainText('1\\. не список\n\\- теж\n\\> і це')).toBe('1. не список - теж > і це')
  expect(parseMarkdown('1\\. x').map(({ type }) => type)).toEqual(['paragraph'])
})

test('code keeps backticks, backslashes and marks', () => {
  expect(parseInline('`` a`b `` і `\\*x*`')).toEqual([
    { type: 'code', text: 'a`b' },
    { type: 'text', text: ' і ' },
    { type: 'code', text: '\\*x*' },
  ])
  expect(parseMarkdown('```x``` і далі\nрядок')).toHaveLength(1)
  expect(parseMarkdown('````md\n```\n*x*\n```\n````\nпісля')).toEqual([
    { type: 'code', text: '```\n*x*\n```' },
    { type: 'paragraph', lines: [[{ type: 'text', text: 'після' }]] },
  ])
  expect(parseMarkdown('~~~\n  a\n~~~')).toEqual([{ type: 'code', text: '  a' }])
  expect(parseMarkdown('- пункт\n  ```js\n  a\n    b\n  ```')[1]).toEqual({ type: 'code', text: 'a\n  b' })
})

test('lists are nested by their indent and begin at the typed number', () => {
  const text = '3. три\n   - а\n     ще рядок\n   - б\n      1. глибше\n4. чотири\n- інший'
  const outline = (blocks: ReturnType<typeof parseMarkdown>): unknown =>
    blocks.map((block) =>
      block.type === 'list'
        ? [
            block.isOrdered ? block.start : '-',
            ...block.items.map(({ lines, lists }) => [lines.map(inlineText), outline(lists)]),
          ]
        : block.type,
    )
  expect(outline(parseMarkdown(text))).toEqual([
    [3, [['три'], [['-', [['а', 'ще рядок'], []], [['б'], [[1, [['глибше'], []]]]]]]], [['чотири'], []]],
    ['-', [['інший'], []]],
  ])
  expect(messagePlainText(text)).toBe('три а ще рядок б глибше чотири інший')
})

test('hostile texts are parsed in linear time', () => {
  for (const piece of [
    '~~a ',
    '*a_',
    '\\',
    '`a``',
    '[a](b(',
    '  - ',
    'www.',
    '_a *b ',
    '***a ',
    '~~~a\n',
    'https://a(',
  ]) {
    const startedAt = performance.now()
    parseMarkdown(piece.repeat(4000))
    expect([piece, performance.now() - startedAt < 800]).toEqual([piece, true])
  }
})

test.each(['\u200b', '\u200b\u200d \ufeff', '\u2060', '\u3164', '\u2800', '\u00ad\u200f', '\u0000'])(
  'a message of invisible characters only is refused (%j)',
  (body) => {
    const ids = { conversationId: crypto.randomUUID(), messageId: crypto.randomUUID() }
    expect(SendMessage.safeParse({ ...ids, body }).success).toBe(false)
    expect(SendMessage.safeParse({ ...ids, body: `${body}👩‍💻` }).success).toBe(true)
  },
)
