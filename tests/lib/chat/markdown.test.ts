import { expect, test } from 'vitest'
import { messagePlainText, parseMarkdown } from '#lib/chat/message/markdown-rules.ts'

const line = (text: string) => {
  const [block] = parseMarkdown(text)
  return block?.type === 'paragraph' ? block.lines[0] : block
}

test('bold, italics, code and links', () => {
  expect(line('a **b *c*** `**d**`')).toEqual([
    { type: 'text', text: 'a ' },
    {
      type: 'bold',
      content: [
        { type: 'text', text: 'b ' },
        { type: 'italic', content: [{ type: 'text', text: 'c' }] },
      ],
    },
    { type: 'text', text: ' ' },
    { type: 'code', text: '**d**' },
  ])
  expect(line('_так_ snake_case_name')).toEqual([
    { type: 'italic', content: [{ type: 'text', text: 'так' }] },
    { type: 'text', text: ' snake_case_name' },
  ])
  expect(line('[сайт](https://example.com/a) і https://example.com/b?c=1.')).toEqual([
    { type: 'link', href: 'https://example.com/a', text: 'сайт' },
    { type: 'text', text: ' і ' },
    { type: 'link', href: 'https://example.com/b?c=1', text: 'https://example.com/b?c=1' },
    { type: 'text', text: '.' },
  ])
})

test('lists, quotes, code blocks and paragraphs', () => {
  expect(parseMarkdown('Перший\nрядок\n\n- а\n- б\n1. в\n> цитата\n```\n**x**\n```').map(({ type }) => type)).toEqual([
    'paragraph',
    'list',
    'list',
    'quote',
    'code',
  ])
  expect(parseMarkdown('```\nбез кінця')).toEqual([{ type: 'code', text: 'без кінця' }])
})

test.each(['[x](javascript:alert(1))', '[x](data:text/html,1)', 'javascript:alert(1)', '[x](//evil)'])(
  '%s is text',
  (text) => {
    expect(messagePlainText(text)).toBe(text)
    expect(JSON.stringify(parseMarkdown(text))).not.toContain('"link"')
  },
)

test('unclosed marks and HTML stay text', () => {
  for (const text of ['2 * 3 * 4', '**', '`', '<b>x</b>', 'a*', '[a](']) expect(messagePlainText(text)).toBe(text)
})

test('the plain text of a message is one line', () => {
  expect(messagePlainText('**Увага**\n- `один`\n- [два](https://a.test)\n\n> три')).toBe('Увага один два три')
})

test('hostile texts are parsed in linear time', () => {
  for (const piece of ['*a ', '**', '[', '[a](', '`', '_a_', '> ', '```\n', 'http://', '- ']) {
    const startedAt = performance.now()
    parseMarkdown(piece.repeat(4000))
    expect(performance.now() - startedAt).toBeLessThan(400)
  }
})
