import { expect, test } from 'vitest'
import { escapeHtml, escapeText, escapeXml, escapeXmlText } from '#lib/core/shared/text/escape.ts'

const TEXT = `<a title="1 & 2">`

test('text cannot begin a tag, and in an attribute cannot end it', () => {
  expect(escapeText(TEXT)).toBe('&lt;a title="1 &amp; 2"&gt;')
  expect(escapeHtml(TEXT)).toBe('&lt;a title=&quot;1 &amp; 2&quot;&gt;')
  expect([escapeHtml(null), escapeHtml(undefined), escapeHtml(5)]).toEqual(['', '', '5'])
})

test('XML has no characters that it does not allow', () => {
  expect(escapeXmlText('a\u0000\u000b\ud800b & "c"')).toBe('a\ufffdb &amp; "c"')
  expect(escapeXml('\uffff"')).toBe('&quot;')
})
