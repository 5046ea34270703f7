import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MessageBody } from '#islands/chat/MessageBody.tsx'
import { flattenStrings } from '#islands/stores/flatten-strings.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import chat from '#locales/uk/chat.json'

const t = createTranslator(flattenStrings(chat, 'chat:'), 'uk')
const render = (body: string) => renderToStaticMarkup(<MessageBody body={body} t={t} />)
const quote = (lines: number) => Array.from({ length: lines }, (_, line) => `> рядок ${line}`).join('\n')

test('a long quote is folded, with its text behind a summary, and the answer is not', () => {
  const html = render(`Так, прийду.\n\n${quote(6)}`)
  expect(html).toMatch(/<p>Так, прийду\.<\/p><details><summary[^>]*>Показати цитований текст<\/summary><blockquote>/)
  expect(html).toContain('рядок 5')
  expect(html).not.toContain('<details open')
})

test('a short quote is shown', () => {
  expect(render(`${quote(5)}\n\nЗгода`)).not.toContain('<details')
})
